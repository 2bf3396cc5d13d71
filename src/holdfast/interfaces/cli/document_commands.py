"""The commands index, related, gc and validate."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from holdfast.interfaces.cli import completion
from holdfast.interfaces.cli.app import CommandOptions, command, option
from holdfast.interfaces.cli.command_arguments import LIMIT, absolute
from holdfast.interfaces.cli.progress_bar import progress_bar
from holdfast.interfaces.cli.terminal import age, clean, paint, short_ids, table, wrap
from holdfast.interfaces.language import number, translatable, translate, translate_count
from holdfast.interfaces.messages import messages, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.core.code import CodeReport, ScipReport
    from holdfast.core.document import RestoredDocuments
    from holdfast.core.health import JobRun, Stats
    from holdfast.documents.clean import CleanReport
    from holdfast.documents.document_index import IndexReport
    from holdfast.documents.related import RelatedDocument
    from holdfast.documents.validate import Contradiction

# What happened to memories about the code, by the verbs of their history.
_MEMORIES = {
    "stale": translatable("{n} to check because their code changed"),
    "fresh": translatable("{n} fresh again"),
    "follow": translatable("{n} followed code that moved"),
    "doubt": translatable("{n} of yours to review because their code is gone"),
    "retire": translatable("{n} retired because their code is gone"),
    "return": translatable("{n} back with their code"),
    "merged": translatable("{n} confirmed by a merge"),
}
# The counts of a report in the order they are printed.
_COUNTS = {
    "added": translatable("added {n}"),
    "updated": translatable("updated {n}"),
    "removed": translatable("removed {n}"),
    "unchanged": translatable("unchanged {n}"),
    "renamed": translatable("renamed {n}"),
    "relabelled": translatable("relabelled {n}"),
}
_MOST_UNREAD = 20  # Files that are named one by one.
_ENOUGH = 100  # Passages in a run that tell how fast the model is.
_LEVELS = {"reject": (translatable("contradiction"), "red"), "warn": (translatable("warning"), "yellow")}


@command("index")
@click.argument("paths", nargs=-1, metavar="[PATH...]", shell_complete=completion.files)
@option("--rehash", is_flag=True, help="Read every file, even if its size and time are unchanged.")
@option("--watch", is_flag=True, help="Keep running and index files when they change.")
@option("--preset", metavar="NAME", help="Preset that selects the document files: any or cyberk-flow.")
@option("--scip", metavar="FILE", help="Add the edges of a SCIP index to the code graph.")
@option("--only", type=click.Choice(["docs", "code"]), help="Index only the documents or only the code.")
def index(
    options: CommandOptions,
    paths: tuple[str, ...],
    rehash: bool,
    watch: bool,
    preset: str | None,
    scip: str | None,
    only: str | None,
) -> None:
    if scip is not None:
        with options.open(create=True) as ws:
            added = ws.import_scip(absolute(scip))
        options.print_result(added, lambda: _scip_added(added))
        return
    named = [absolute(path) for path in paths] or None
    docs, code = only != "code", only == "code" if only else None

    def print_report(report: IndexReport, pending: str = "") -> None:
        options.print_result(report, lambda: _indexed(report) + pending)
        sys.stdout.flush()

    with options.open(create=True) as ws, progress_bar(translate("indexing")) as progress:

        def read(done: int, total: int, path: str) -> None:
            progress(path, done, total)

        if not watch:
            report = ws.index(named, rehash, preset=preset, progress=read, docs=docs, code=code)
            pending = _pending(ws.stats()) if report.changed and not options.json else ""
        else:
            with suppress(KeyboardInterrupt):  # Ctrl-C ends watching.
                ws.index(named, rehash, print_report, preset, read, docs, code)
    if not watch:
        print_report(report, pending)


@command("related")
@click.argument("path", shell_complete=completion.files)
@option("--limit", type=LIMIT, default=5, metavar="N", show_default=True, help="Maximum number of results.")
def related(options: CommandOptions, path: str, limit: int) -> None:
    with options.open() as ws:
        found = ws.related(absolute(path), limit)
    options.print_result(found, lambda: _related_rows(found))


@command("gc")
@option("--apply", "apply_", is_flag=True, help="Remove them instead of only listing them.")
@option("--undo", is_flag=True, help="Restore what the last --apply removed.")
def gc(options: CommandOptions, apply_: bool, undo: bool) -> None:
    if apply_ and undo:
        raise click.UsageError(translate("Use --apply or --undo, not both"))
    with options.open() as ws:
        if undo:
            back = ws.undo_gc()
            options.print_result(back, lambda: _restored(back))
        else:
            report = ws.gc(dry_run=not apply_)
            options.print_result(_plain(report), lambda: _cleaned(report))


@command("validate", more=lambda: translate("CHANGE is a folder with delta specs; without it, memories are compared."))
@click.argument("change", required=False, metavar="[CHANGE]")
@option("--recipe", default="default", metavar="NAME", help="Comparison recipe: default or energy.")
def validate(options: CommandOptions, change: str | None, recipe: str) -> int:
    with options.open() as ws:
        found = ws.validate(absolute(change) if change else None, recipe)
        waiting = 0 if change else ws.count(needs_review=True)
    options.print_result(found, lambda: "\n".join([_findings(found), *_waiting(waiting)]))
    return 1 if any(finding.level == "reject" for finding in found) else 0


def _indexed(report: IndexReport) -> str:
    code = report.code
    seconds = report.seconds - (code.seconds if code else 0)
    has_documents = any(getattr(report, name) for name in _COUNTS)
    lines = [_named(translate("documents"), _counted(report, seconds))] if has_documents else []
    lines += _code_lines(code) if code and (code.files or code.skipped or code.changed) else []
    if report.problems:
        lines.append(translate_count(len(report.problems), "{n} problem:", "{n} problems:"))
    lines += [
        f"  {paint('!', 'yellow')} {_named(clean(problem.path), text_of(problem.reason))}"
        for problem in report.problems
    ]
    if not has_documents and not (code and code.files):
        lines.append(translate("No documents found. The settings index_preset and index_roots select them."))
    return "\n".join(lines)


def _scip_added(added: ScipReport) -> str:
    edges = translate_count(added.edges, "{n} dependency", "{n} dependencies")
    files = translate_count(added.files, "{n} file", "{n} files")
    text = translate("Added {edges} of {files}.", edges=edges, files=files)
    if added.outdated:
        skipped = translate_count(
            added.outdated,
            "{n} file changed after the index was made and was skipped.",
            "{n} files changed after the index was made and were skipped.",
        )
        text = f"{text} {skipped}"
    return text


def _pending(stats: Stats) -> str:
    """Says how many passages the background has still to embed, and how long that will take if it is known."""
    count = stats.waiting + stats.improvable
    if not count or not stats.embedder:
        return ""
    text = translate_count(count, "{n} passage waits for its embedding", "{n} passages wait for their embedding")
    rate = next((_rate(run) for run in stats.jobs if run.name == "embed"), 0.0)
    if rate and count / rate >= 60:
        text += translate(", about {n} min in the background", n=round(count / rate / 60))
    return "\n" + paint(text + translate("; search works meanwhile."), "dim")


def _rate(run: JobRun) -> float:
    """Passages embedded per second in one run; 0 if it was too short to tell."""
    embedded, seconds = run.detail.get("embedded", 0), (run.finished_at - run.started_at).total_seconds()
    return embedded / seconds if embedded >= _ENOUGH and seconds > 0 else 0.0


def _counted(report: IndexReport | CodeReport, seconds: float) -> str:
    """Formats the counts that are not zero, and how long the work took if there was any."""
    counts = [(text, getattr(report, name, 0)) for name, text in _COUNTS.items()]
    shown = ", ".join(translate(text, n=number(n)) for text, n in counts if n) or translate("none")
    return f"{shown} ({translate('{n} s', n=number(seconds, 1))})" if report.changed else shown


def _code_lines(code: CodeReport) -> list[str]:
    """Describes the code files that were indexed and counts the skipped ones by reason."""
    lines = [_named(translate("code"), _counted(code, code.seconds))]
    for path, why in list(code.unread.items())[:_MOST_UNREAD]:
        reason = translate("could not be read: {reason}", reason=translate(messages("codegraph")[why]))
        lines.append(f"  {paint('!', 'yellow')} {_named(clean(path), reason)}")
    few = len(code.unread) <= _MOST_UNREAD
    for reason, count in code.skipped.items():
        if few and reason in code.unread.values():
            continue
        files = translate_count(count, "{n} file skipped", "{n} files skipped")
        lines.append(f"  {paint(_named(files, translate(messages('codegraph')[reason])), 'dim')}")
    if told := [translate(text, n=code.memories[verb]) for verb, text in _MEMORIES.items() if code.memories.get(verb)]:
        lines.append(_named(translate("memories"), ", ".join(told)))
    return lines


def _related_rows(found: Sequence[RelatedDocument]) -> str:
    rows = [(other.path, _together(other.together), ", ".join(_links(other))) for other in found]
    return table(rows, styles=("cyan", "", "dim"), indent=0) if rows else translate("No related documents.")


def _together(count: int) -> str:
    return translate_count(count, "found together {n} time", "found together {n} times") if count else ""


def _links(other: RelatedDocument) -> list[str]:
    """Describes how two documents refer to each other."""
    to = [translate("referenced by this document ({kinds})", kinds=", ".join(other.to))] if other.to else []
    back = [translate("refers to this document ({kinds})", kinds=", ".join(other.back))] if other.back else []
    return to + back


def _plain(report: CleanReport) -> dict[str, object]:
    return {"run": report.run, **report.plan._asdict()}


def _cleaned(report: CleanReport) -> str:
    plan = report.plan
    lines = [f"  {clean(chunk.place)} {paint('=', 'dim')} {clean(chunk.kept_place)}" for chunk in plan.duplicates]
    lines += [f"  {clean(document.path)} {paint(age(document.since), 'dim')}" for document in plan.faded]
    counts = ", ".join(
        [
            translate_count(len(plan.duplicates), "{n} duplicate chunk", "{n} duplicate chunks"),
            translate_count(len(plan.faded), "{n} unused document", "{n} unused documents"),
        ]
    )
    summary = (
        translatable("Removed {what}. Undo: holdfast gc --undo")
        if report.applied
        else translatable("Would remove {what}.")
    )
    if not lines:
        summary = translatable("Nothing to remove: {what}.")
    closing = [] if report.applied or not lines else [translate("To remove them: holdfast gc --apply")]
    return "\n".join([translate(summary, what=counts), *lines, *_uncompared(plan.chunks - plan.compared), *closing])


def _uncompared(chunks: int) -> list[str]:
    """Says how many chunks could not be compared, so that "nothing to remove" is not misread."""
    if not chunks:
        return []
    without = translate_count(chunks, "{n} chunk has no embedding yet", "{n} chunks have no embedding yet")
    return [paint(translate("Not compared: {what}. Comparing needs embeddings.", what=without), "dim")]


def _restored(back: RestoredDocuments) -> str:
    chunks = translate_count(back.chunks, "{n} chunk", "{n} chunks")
    documents = translate_count(back.documents, "{n} document", "{n} documents")
    return translate("Restored {chunks}, {documents}.", chunks=chunks, documents=documents)


def _findings(found: Sequence[Contradiction]) -> str:
    if not found:
        return translate("No contradictions found.")
    return "\n".join(_finding(finding) for finding in found)


def _waiting(count: int) -> list[str]:
    """Where contradictions are that were noted when the memories were stored."""
    if not count:
        return []
    text = translate_count(
        count,
        "{n} memory waits for your review: holdfast list --review",
        "{n} memories wait for your review: holdfast list --review",
    )
    return [paint(text, "yellow")]


def _finding(finding: Contradiction) -> str:
    level, style = _LEVELS[finding.level]
    texts = [(finding.where, finding.a), (finding.against, finding.b)]
    quoted = table([(short_ids(clean(place)), clean(text)) for place, text in texts], styles=("cyan",), whole=True)
    name = translate(level)
    reason = wrap(_named(name, text_of(finding.reason)), indent=2)
    return f"{paint(name, style)}{reason.removeprefix(name)}\n{quoted}"


def _named(name: str, text: str) -> str:
    return translate("{name}: {value}", name=name, value=clean(text))
