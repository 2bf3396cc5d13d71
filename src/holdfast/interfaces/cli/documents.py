"""Documents: index, related, gc, validate."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from holdfast.interfaces.cli.app import Given, command, option
from holdfast.interfaces.cli.progress import fetching
from holdfast.interfaces.cli.reading import absolute
from holdfast.interfaces.cli.screen import clean, paint, size
from holdfast.interfaces.language import say, say_count, to_say

if TYPE_CHECKING:
    from holdfast.documents.index import IndexReport

# Each count of a report in the order it is told; the last two only where there are any.
_COUNTS = {
    "added": to_say("added {n}"),
    "updated": to_say("updated {n}"),
    "removed": to_say("removed {n}"),
    "unchanged": to_say("unchanged {n}"),
    "renamed": to_say("renamed {n}"),
    "relabelled": to_say("relabelled {n}"),
}
_ALWAYS = 4


@command("index")
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@option("--rehash", is_flag=True, help="Read every file, also where size and time are the same.")
@option("--watch", is_flag=True, help="Go on, and index again whenever files change.")
@option("--preset", metavar="NAME", help="Which files are documents: any or cyberk-flow.")
def index(given: Given, paths: tuple[str, ...], rehash: bool, watch: bool, preset: str | None) -> None:
    named = [absolute(path) for path in paths] or None

    def told(report: IndexReport) -> None:
        given.tell(report, lambda: _indexed(report))
        sys.stdout.flush()

    with given.open() as ws, fetching(say("index")) as progress:

        def read(done: int, total: int, path: str) -> None:
            progress(path, done, total)

        if not watch:
            report = ws.index(named, rehash, preset=preset, progress=read)
        else:
            with suppress(KeyboardInterrupt):  # Why: it is how watching ends.
                ws.index(named, rehash, told, preset, read)
    if not watch:
        told(report)


def _indexed(report: IndexReport) -> str:
    counts = [(count, getattr(report, name)) for name, count in _COUNTS.items()]
    shown = [say(count, n=n) for place, (count, n) in enumerate(counts) if n or place < _ALWAYS]
    took = say("{size} in {seconds} s", size=size(report.bytes), seconds=f"{report.seconds:.1f}")
    lines = [f"{', '.join(shown)} ({took})"]
    if report.problems:
        lines.append(say_count(len(report.problems), "{n} problem:", "{n} problems:"))
    lines += [f"  {paint('!', 'yellow')} {clean(problem.path)}: {clean(problem.why)}" for problem in report.problems]
    if not any(n for _, n in counts):
        lines.append(say("No documents here. The settings index_preset and index_roots say which files are."))
    return "\n".join(lines)
