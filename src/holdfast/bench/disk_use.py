"""Measures the bytes on disk per message and per document chunk, with everything that the background adds to them.

The vectors have the size of those of the bundled model, and are made by a fake one: only their number of bytes counts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.bench.corpus import DIMENSIONS, Note
from holdfast.bench.measure import Measurement, bytes_under, show_progress

if TYPE_CHECKING:
    from holdfast.workspace import Workspace

# The most bytes per passage; a long message has no budget.
BUDGETS = {"disk per short message": 3_500.0, "disk per long message": None, "disk per document chunk": 5_000.0}
_PARAGRAPHS = 40
# The turns of real conversations have about this many characters (FriendsQA 72, QMSum 100 on average).
_SHORT = 100


def measure(folder: Path, messages: Sequence[str], notes: Sequence[Note]) -> list[Measurement]:
    """Fills one store with messages and one with documents, and divides their bytes by their passages."""
    from holdfast.intake.message_intake import IncomingMessage

    def talk(ws: Workspace) -> None:
        ws.session("s").say_all([IncomingMessage("user", text[:_SHORT]) for text in messages])

    def talk_long(ws: Workspace) -> None:
        ws.session("s").say_all([IncomingMessage("user", text) for text in messages])

    def write(ws: Workspace) -> None:
        for at in range(0, len(notes), _PARAGRAPHS):
            ws.add_document(f"docs/{at}.md", _document(notes[at : at + _PARAGRAPHS]))

    show_progress("measuring bytes per passage")
    filled = zip(BUDGETS, (talk, talk_long, write), strict=True)
    return [Measurement(name, _bytes(folder, fill), None, "bytes", BUDGETS[name]) for name, fill in filled]


def _bytes(folder: Path, fill: Callable[[Workspace], None]) -> float:
    import holdfast
    from holdfast.models.fake import FakeEmbedder

    home = Path(tempfile.mkdtemp(dir=folder))
    settings = holdfast.Settings(embedder="none", background=False, project=str(home))
    with holdfast.open(str(home / "db" / "holdfast.db"), settings=settings) as ws:
        fill(ws)
        parts = ws.container
        # Without a cache, like the bundled model.
        parts.__dict__["embedding"] = replace(parts.embedding, embedder=FakeEmbedder(DIMENSIONS))
        ws.upkeep("embed")
        passages = ws.stats().totals["passages"]
    return bytes_under(home / "db") / passages


def _document(notes: Sequence[Note]) -> str:
    """Sections of five paragraphs each."""
    paragraphs = [f"## {note.text[:40]}\n\n{note.text}" if n % 5 == 0 else note.text for n, note in enumerate(notes)]
    return "# Notes\n\n" + "\n\n".join(paragraphs) + "\n"
