"""The commands observe and prefetch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.core.ids import short
from holdfast.interfaces.cli import completion
from holdfast.interfaces.cli.app import CommandOptions, command, option
from holdfast.interfaces.cli.command_arguments import KIND, LIMIT, text_of
from holdfast.interfaces.cli.progress_bar import progress_bar
from holdfast.interfaces.cli.terminal import broken, clean, paint, screen_width, table
from holdfast.interfaces.language import number, translatable, translate, translate_count
from holdfast.observer.rehearsal import rehearsed_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.core.memory import Memory
    from holdfast.observer.file_prediction import PredictedFile
    from holdfast.observer.observe import ObserverReport
    from holdfast.observer.promote import Promoted

    Kept = tuple[str, Promoted, Memory | None]

# The id of a commit that stands in for a session begins with this.
_COMMIT = "git:"
_SHOWN_SESSIONS = 3
# Of the memories about one thing that were stored, this many are shown; `--dry-run` shows all.
_SHOWN_MEMORIES = 3
_UUID_START, _UUID_DASHES = 8, 3
_REASONS = {
    "needed early by similar requests": translatable("needed early by similar requests"),
    "used by similar requests": translatable("used by similar requests"),
    "used lately": translatable("used lately"),
    "edited lately": translatable("edited lately"),
    "words of its path": translatable("words of its path"),
    "words of its name": translatable("words of its name"),
    "same branch": translatable("same branch"),
    "named in the prompt": translatable("named in the prompt"),
    "used with a named file": translatable("used with a named file"),
    "needed early by most requests": translatable("needed early by most requests"),
}


# What memories of a signal are about, in the order in which they are shown.
_TITLES = {
    "co_access": translatable("Files that change together"),
    "cross_module": translatable("Files of other folders that a change needs"),
    "config_touch": translatable("Configuration that changes with other files"),
    "error_retry": translatable("Errors and what resolved them"),
    "commit_fix": translatable("Fixes that commits explain"),
    "commit_decision": translatable("Decisions that commits explain"),
    "tool_sequence": translatable("Checks before a change is done"),
    "test_order": translatable("Order of tests"),
    "backtrack": translatable("Edits that had to be repaired"),
    "self_correction": translatable("What agents corrected"),
    "dead_end": translatable("Approaches that were given up"),
    "end_to_end": translatable("Behaviour of the user interface"),
    "module_summary": translatable("Folders summed up"),
    "file_access": translatable("Files that work in a folder needs"),
    "repeated_grep": translatable("Searches that are repeated"),
    "glob_ignore": translatable("Searches that find nothing"),
    "read_abandon": translatable("Files that are read over and over"),
    "import_chase": translatable("Files that are read one after the other"),
    "parallel_conflict": translatable("Files that several agents edited"),
    "step_overrun": translatable("Effort of tasks"),
    "planned_steps": translatable("Planned and taken steps"),
    "token_spike": translatable("Files that cost many tokens"),
    "time_anomaly": translatable("Commands that take minutes"),
    "external_reference": translatable("Web pages that are consulted"),
    "work_state": translatable("Where the work stands"),
}


_PATHS = translatable(
    "PATH is a transcript or a folder of transcripts, such as ~/.claude/projects. Without it: what hooks recorded."
)


@command("observe", more=lambda: translate(_PATHS))
@click.argument("paths", nargs=-1, metavar="[PATH...]", shell_complete=completion.files)
@option("--dry-run", is_flag=True, help="Print what would be kept and why; store nothing.")
@option("--everywhere", is_flag=True, help="Include sessions of other projects when PATH is a folder.")
@option("--kind", type=KIND, default="build", show_default=True, help="Kind of sessions that do not say theirs.")
@option("--git", is_flag=True, help="Learn from the project's commits, until agents' sessions are known.")
def observe(
    options: CommandOptions, paths: tuple[str, ...], dry_run: bool, everywhere: bool, kind: str, git: bool
) -> None:
    with options.open(create=not dry_run) as ws, progress_bar(translate("learning from sessions")):
        reports = [ws.observe_commits(dry_run)] if git else []
        sources = paths or (() if git else (None,))
        reports += [report for path in sources for report in ws.observe(path, dry_run, everywhere, kind)]
    others_left_out = bool(paths) and not everywhere
    options.print_result(reports, lambda: _observed(reports, dry_run) if reports else _none_found(others_left_out))


@command("prefetch")
@click.argument("prompt", nargs=-1, required=True, metavar="PROMPT|-")
@option("--branch", default="", metavar="NAME", help="Git branch that the work is done on.")
@option("--limit", type=LIMIT, default=12, metavar="N", show_default=True, help="Maximum number of files.")
def prefetch(options: CommandOptions, prompt: tuple[str, ...], branch: str, limit: int) -> None:
    with options.open() as ws:
        found = ws.predict_files(text_of(prompt), branch, limit)
    options.print_result(found, lambda: _files(found))


def evidence_rows(evidence: object) -> list[tuple[str, str]]:
    """The sessions that show an observation, and the steps in each."""
    sessions = evidence.items() if isinstance(evidence, dict) else ()
    listed = ((clean(str(session)), [str(step) for step in steps]) for session, steps in sessions if steps)
    return [(session, _steps(steps)) for session, steps in listed]


def _steps(steps: Sequence[str]) -> str:
    text = translatable("step {steps}") if len(steps) == 1 else translatable("steps {steps}")
    return translate(text, steps=clean(", ".join(steps)))


def _observed(reports: Sequence[ObserverReport], dry_run: bool) -> str:
    commits = [report for report in reports if report.session == "git:history"]
    seen = [report for report in reports if report.steps and report not in commits]
    lines = [_counted(seen)]
    if commits:
        read = translate_count(commits[0].steps, "Read {n} commit.", "Read {n} commits.")
        lines = [read, *(lines if seen else [])]
    kept, replaced = _kept([*commits, *seen])
    if not kept:
        return "\n".join(
            (
                *lines,
                translate("Nothing new to keep: what was seen often enough is already known, or it was forgotten."),
            )
        )
    if dry_run:
        lines.append(translate_count(len(kept), "Would keep {n} memory.", "Would keep {n} memories."))
    else:
        lines.append(translate_count(len(kept), "Kept {n} memory.", "Kept {n} memories."))
    if replaced:
        lines.append(
            translate_count(
                replaced, "{n} more was replaced by a later session.", "{n} more were replaced by later sessions."
            )
        )
    return "\n\n".join(("\n".join(lines), *_groups(kept, whole=dry_run), *_next(kept, dry_run)))


def _none_found(others_left_out: bool) -> str:
    if not others_left_out:
        return translate("No sessions found.")
    return translate("No sessions of this project found; --everywhere includes those of other projects.")


def _counted(seen: Sequence[ObserverReport]) -> str:
    steps = translate_count(sum(report.steps for report in seen), "{n} step", "{n} steps")
    sessions = translate_count(len(seen), "{n} session", "{n} sessions")
    count = sum(len(report.observations) for report in seen)
    if not count:  # Memories may come of it all the same: of what several sessions have in common.
        return translate("Observed {sessions} with {steps}.", sessions=sessions, steps=steps)
    made = translate_count(count, "{n} observation", "{n} observations")
    return translate(
        "Observed {sessions} with {steps}: {observations}.", sessions=sessions, steps=steps, observations=made
    )


def _kept(reports: Sequence[ObserverReport]) -> tuple[list[Kept], int]:
    """The memories that are there at the end, and how many were replaced before."""
    found: list[Kept] = []
    replaced: set[str] = set()
    for report in reports:
        for place, one in enumerate(report.promoted):
            memory = report.answers[place].memory if report.answers else None
            if memory is not None or not report.answers:
                found.append((memory.id if memory else rehearsed_id(report.session, place), one, memory))
                replaced.update(one.candidate.replaces)
    # The same memory may be confirmed by several sessions.
    unique = {id: (id, one, memory) for id, one, memory in found}
    return [kept for id, kept in unique.items() if id not in replaced], len(unique.keys() & replaced)


def _groups(kept: Sequence[Kept], whole: bool) -> Iterator[str]:
    """The memories by what they are about, the most useful first; of each, all or the first few."""
    for signal, title in _TITLES.items():
        own = [one for one in kept if one[1].signal == signal]
        if own:
            shown = own if whole else own[:_SHOWN_MEMORIES]
            lines = [paint(translate(title), "bold"), *(_memory(*one) for one in shown), *_more(own[len(shown) :])]
            yield "\n".join(lines)


def _more(hidden: Sequence[Kept]) -> Iterator[str]:
    if hidden:
        text = translate(
            "{n} more: holdfast list --type {type}", n=number(len(hidden)), type=hidden[0][1].candidate.type
        )
        yield paint(f"  {text}", "dim")


def _memory(id: str, one: Promoted, memory: Memory | None) -> str:
    name, columns = short(id) + "  " if memory is not None else "", screen_width()
    available = columns - 2 if columns else None
    first, *others = broken(name + clean(one.candidate.text), available)
    evidence = (paint(line, "dim") for line in broken(_evidence(one), available))
    return "- " + "\n  ".join((paint(first[: len(name)], "cyan") + first[len(name) :], *others, *evidence))


def _evidence(one: Promoted) -> str:
    """Names the events that show a memory, and why it waits for review."""
    where = "; ".join(_shown(clean(session), steps) for session, steps in one.evidence[-_SHOWN_SESSIONS:])
    counted = _times(one) if one.sessions > 1 else ""
    candidate = one.candidate
    if candidate.taint is not None:
        review = translate("waits for review: {tool} had been read before", tool=clean(candidate.taint.tool))
    else:
        review = translate("waits for review") if candidate.needs_review else ""
    return " · ".join(filter(None, (counted, where, review)))


def _shown(session: str, steps: Sequence[int]) -> str:
    if session.startswith(_COMMIT):
        return translate("commit {id}", id=session.removeprefix(_COMMIT))
    return translate("session {id}, {steps}", id=_short(session), steps=_steps([str(step) for step in steps[:5]]))


def _times(one: Promoted) -> str:
    if all(session.startswith(_COMMIT) for session, _ in one.evidence):
        return translate_count(one.sessions, "{n} commit", "{n} commits")
    return translate_count(one.sessions, "{n} session", "{n} sessions")


def _short(session: str) -> str:
    """The first part of a session's id that is a UUID; other ids say something, and are shown whole."""
    first, _, rest = session.partition("-")
    return first if len(first) == _UUID_START and rest.count("-") == _UUID_DASHES else session


def _next(kept: Sequence[Kept], dry_run: bool) -> Iterator[str]:
    """What to do now."""
    if dry_run:
        yield paint(translate("Nothing was stored. Without --dry-run it is."), "dim")
        return
    waiting = sum(memory is not None and memory.needs_review for _, _, memory in kept)
    if waiting:
        text = translate_count(
            waiting,
            "{n} memory waits for your review: holdfast list --review",
            "{n} memories wait for your review: holdfast list --review",
        )
        yield paint(text, "yellow")


def _files(found: Sequence[PredictedFile]) -> str:
    if not found:
        return translate("No session was observed yet. Start with: holdfast observe ~/.claude/projects")
    rows = [(clean(file.path), ", ".join(translate(_REASONS[reason]) for reason in file.reasons)) for file in found]
    return table(rows, styles=("cyan", "dim"), indent=0)
