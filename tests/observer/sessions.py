"""Builds the events of agents' sessions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from holdfast.agents import event as kinds
from holdfast.agents.event import Event

_TIMES = count(1_700_000_000)


class Talk:
    """A session under construction: each method adds events."""

    def __init__(self, prompt: str = "please fix the cart", branch: str = "main", root: str = "/p") -> None:
        self._step = 0
        where = {"root": root, "branch": branch}
        self.events = [self._event(kinds.SESSION, args=where), self._event(kinds.USER, text=prompt)]

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def read(self, *paths: str, agent: str = "") -> Talk:
        for path in paths:
            self.call("Read", {"file_path": path}, "contents", agent=agent)
        return self

    def edit(self, *paths: str, agent: str = "") -> Talk:
        for path in paths:
            self.call("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, "done", agent=agent)
        return self

    def run(self, command: str, result: str = "ok", error: bool = False, agent: str = "") -> Talk:
        return self.call("Bash", {"command": command}, result, error, agent)

    def grep(self, pattern: str, result: str = "src/cart.py:1") -> Talk:
        return self.call("Grep", {"pattern": pattern}, result)

    def fetch(self, url: str, result: str = "page") -> Talk:
        return self.call("WebFetch", {"url": url}, result)

    def think(self, text: str) -> Talk:
        self.events.append(self._event(kinds.REASONING, text=text))
        return self

    def call(self, tool: str, args: dict[str, Any], result: str, error: bool = False, agent: str = "") -> Talk:
        self._step += 1
        id = f"c{self._step}"
        self.events.append(self._event(kinds.TOOL_CALL, tool=tool, args=args, id=id, step=self._step, agent=agent))
        about: dict[str, Any] = {"id": id, "step": self._step, "error": error, "agent": agent}
        self.events.append(self._event(kinds.TOOL_RESULT, text=result, **about))
        return self

    def _event(self, kind: str, **about: Any) -> Event:
        return Event(kind, float(next(_TIMES)), **about)
