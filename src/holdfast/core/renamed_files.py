"""Gives renamed files their present names: in values, texts that quote a path, and memories."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from holdfast.core.citation import cite
from holdfast.core.frozen import frozen
from holdfast.core.memory import Memory

_QUOTED = re.compile(r"`([^`\n]{1,1000})`")


@frozen
class RenamedFiles:
    """The present names of files by their earlier ones."""

    names: Mapping[str, str]

    def path(self, path: str) -> str:
        """The present name of a file."""
        return self.names.get(path, path)

    def text(self, text: str) -> str:
        """The text with the present names of the files that it quotes in backticks."""
        return _QUOTED.sub(lambda quoted: f"`{self.path(quoted[1])}`", text)

    def key(self, key: str) -> str:
        """A key of several lines, some of which may be paths."""
        return "\n".join(map(self.path, key.split("\n")))

    def value(self, value: Any) -> Any:
        """A path, a text that quotes paths, or a list or an object of them."""
        if isinstance(value, str):
            return self.text(self.path(value))
        if isinstance(value, list | tuple):
            return type(value)(map(self.value, value))
        if isinstance(value, Mapping):
            return {name: self.value(one) for name, one in value.items()}
        return value

    def memory(self, memory: Memory) -> Memory:
        """A memory with the present names; also in its text if the observer wrote that, not in what somebody said."""
        relations = tuple(
            replace(relation, file=self.path(relation.file)) if relation.file else relation
            for relation in memory.relations
        )
        files = tuple(dict.fromkeys(map(self.path, memory.files)))
        renamed = replace(memory, files=files, relations=relations)
        if memory.source != "observer_inferred" or "signal" not in memory.attributes:
            return renamed
        text = self.text(memory.content)
        citation = cite(text) if memory.citation == cite(memory.content) else memory.citation
        return replace(renamed, content=text, citation=citation, fields=self.value(memory.fields))
