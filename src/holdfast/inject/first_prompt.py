"""The one deep look of a session: what memory knows for its first prompt, and the files that it will probably need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.answer import Filters, Hit, Why
from holdfast.core.citation import one_line
from holdfast.core.frozen import frozen
from holdfast.inject.named_files import files_in
from holdfast.inject.steps import WARNINGS

if TYPE_CHECKING:
    from holdfast.conversation.context import ContextBuilder
    from holdfast.core.answer import Pack
    from holdfast.core.memory import Memory
    from holdfast.models.protocols import TokenCounter
    from holdfast.store.reading import MemoryReading

_MOST_WARNINGS = 8
FILES = "## Files\nSessions with similar requests needed these files first; they are not opened yet.\n"


@frozen
class FirstPrompt:
    """Builds the pack for the first prompt of a session. `predict` returns paths, the most probable first."""

    context: ContextBuilder
    reading: MemoryReading
    tokens: TokenCounter
    predict: Callable[[str, str], Sequence[str]]
    passes: Callable[[Memory], bool]
    project: str
    root: str

    def build(self, prompt: str, session: str | None = None, branch: str = "", budget: int | None = None) -> Pack:
        """The memories for the prompt, warnings about the files that it names first, and the files to look at."""
        about = [Hit(memory, memory.content, 1.0, Why({}, {})) for memory in self._warnings(prompt)]
        packed = self.context.build(prompt, None, session, budget, standing=False, about=about)
        return self._with_files(packed, self.predict(prompt, branch))

    def _warnings(self, prompt: str) -> list[Memory]:
        named = tuple(files_in(prompt, self.root))
        if not named:
            return []
        found = self.reading.memories(self.project, Filters(files=named, types=WARNINGS), limit=_MOST_WARNINGS)
        return [memory for memory in found if self.passes(memory)]

    def _with_files(self, packed: Pack, paths: Sequence[str]) -> Pack:
        """Adds the paths that fit. They are no memories: nothing is cited."""
        lines = [f"- {one_line(path)}" for path in paths]
        text = FILES + "\n".join(lines)
        while lines and packed.tokens + self.tokens.count(text) > packed.budget:
            lines.pop()
            text = FILES + "\n".join(lines)
        if not lines:
            return packed
        joined = f"{packed.text}\n\n{text}" if packed.text else text
        return replace(packed, text=joined, tokens=self.tokens.count(joined))
