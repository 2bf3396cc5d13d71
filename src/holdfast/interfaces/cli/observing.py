"""The commands observe and prefetch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.core.ids import short
from holdfast.interfaces.cli.app import CommandOptions, command, option
from holdfast.interfaces.cli.arguments import LIMIT, text_of
from holdfast.interfaces.cli.terminal import clean, paint, table, wrap
from holdfast.interfaces.language import translatable, translate, translate_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.observer.observer import ObserverReport
    from holdfast.observer.prefetch import PredictedFile
    from holdfast.observer.promote import Promoted

_SHOWN_SESSIONS = 3
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
}


_PATHS = translatable(
    "PATH is a transcript or a folder of transcripts, such as ~/.claude/projects. Without it: what hooks recorded."
)


@command("observe", more=lambda: translate(_PATHS))
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@option("--dry-run", is_flag=True, help="Print what would be kept and why; store nothing.")
@option("--everywhere", is_flag=True, help="Include sessions of other projects when PATH is a folder.")
@option("--git", is_flag=True, help="Learn from the project's commits, until agents' sessions are known.")
def observe(options: CommandOptions, paths: tuple[str, ...], dry_run: bool, everywhere: bool, git: bool) -> None:
    with options.open(create=not dry_run) as ws:
        reports = [ws.observe_commits(dry_run)] if git else []
        sources = paths or (() if git else (None,))
        reports += [report for path in sources for report in ws.observe(path, dry_run, everywhere)]
    options.print_result(reports, lambda: _observed(reports, dry_run))


@command("prefetch")
@click.argument("prompt", nargs=-1, required=True, metavar="PROMPT|-")
@option("--branch", default="", metavar="NAME", help="Git branch that the work is done on.")
@option("--limit", type=LIMIT, default=12, metavar="N", show_default=True, help="Maximum number of files.")
def prefetch(options: CommandOptions, prompt: tuple[str, ...], branch: str, limit: int) -> None:
    with options.open(wait_for_model=False) as ws:
        found = ws.predict_files(text_of(prompt), branch, limit)
    options.print_result(found, lambda: _files(found))


def evidence_rows(evidence: object) -> list[tuple[str, str]]:
    """The sessions that show an observation, and the steps in each."""
    sessions = evidence.items() if isinstance(evidence, dict) else ()
    listed = ((clean(str(session)), [str(step) for step in steps]) for session, steps in sessions if steps)
    return [(session, translate("steps {steps}", steps=clean(", ".join(steps)))) for session, steps in listed]


def _observed(reports: Sequence[ObserverReport], dry_run: bool) -> str:
    commits = [report for report in reports if report.session == "git:history"]
    seen = [report for report in reports if report.steps and report not in commits]
    steps = translate_count(sum(report.steps for report in seen), "{n} step", "{n} steps")
    sessions = translate_count(len(seen), "{n} session", "{n} sessions")
    count = sum(len(report.observations) for report in seen)
    made = translate_count(count, "{n} observation", "{n} observations")
    lines = [
        translate(
            "Observed {sessions} with {steps}: {observations}.", sessions=sessions, steps=steps, observations=made
        )
    ]
    if commits:
        read = translate_count(commits[0].steps, "Read {n} commit.", "Read {n} commits.")
        lines = [read, *(lines if seen else [])]
    kept = [block for report in (*commits, *seen) for block in _promoted(report, dry_run)]
    if kept:
        lines += ["", translate("Would keep:") if dry_run else translate("Kept:"), *kept]
    else:
        lines.append(translate("Nothing was seen often enough to keep it."))
    return "\n".join(lines)


def _promoted(report: ObserverReport, dry_run: bool) -> list[str]:
    answers = report.answers or [None] * len(report.promoted)
    blocks = []
    for one, answer in zip(report.promoted, answers, strict=True):
        if answer is not None and answer.memory is None:
            continue
        id = paint(short(answer.memory.id), "cyan") + "  " if answer is not None and answer.memory is not None else ""
        blocks.append(f"- {id}{wrap(clean(one.candidate.text), indent=2)}\n  {paint(_evidence(one), 'dim')}")
    return blocks


def _evidence(one: Promoted) -> str:
    """Names the signal and the events that show it."""
    where = "; ".join(
        translate("session {id}, steps {steps}", id=clean(session)[:8], steps=", ".join(map(str, steps[:5])))
        for session, steps in one.evidence[-_SHOWN_SESSIONS:]
    )
    counted = translate_count(one.sessions, "{n} session", "{n} sessions")
    return " · ".join(filter(None, (one.signal, counted, where)))


def _files(found: Sequence[PredictedFile]) -> str:
    if not found:
        return translate("No session was observed yet. Start with: holdfast observe ~/.claude/projects")
    rows = [(clean(file.path), ", ".join(translate(_REASONS[reason]) for reason in file.reasons)) for file in found]
    return table(rows, styles=("cyan", "dim"), indent=0)
