"""What binds a memory to code: a file or a symbol as it was when the memory was stored, and how it compares now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from holdfast.core.errors import InvalidMemory
from holdfast.core.frozen import frozen

# The state of the code since the memory was stored. Code that moved without a change is fresh: the anchor follows it.
FRESH, CHANGED, GONE = "fresh", "changed", "gone"
ANCHOR_STATES = (FRESH, CHANGED, GONE)
WARNINGS = {CHANGED: "code changed since", GONE: "code deleted"}
# A memory about a whole file is reported as changed when less than this share of the file is left: most edits of
# a long file do not concern what was said about it. Any edit of a symbol is reported.
_MOSTLY_UNCHANGED = 0.9


@frozen
class CodeAnchor:
    """Binds a memory to a file, or to a symbol in it.

    `symbol` is qualified, as in `Client.get`; "" is the whole file. `hash` identifies its text when the memory was
    stored, whatever its blank space. `branch` is set as long as that text is not part of the main branch. `state`,
    `unchanged` (the share of that text that is left) and the lines are those of the last check, which saw the file
    with this `size` and `mtime_ns`.
    """

    path: str
    symbol: str = ""
    hash: str = ""
    commit: str | None = None
    branch: str | None = None
    line: int | None = None
    end_line: int | None = None
    state: str = FRESH
    unchanged: float = 1.0
    size: int | None = None
    mtime_ns: int | None = None

    def __post_init__(self) -> None:
        if self.state not in ANCHOR_STATES:
            raise InvalidMemory(f"the state of an anchor must be one of {', '.join(ANCHOR_STATES)}; not {self.state!r}")
        if not isinstance(self.unchanged, int | float) or not 0.0 <= self.unchanged <= 1.0:
            raise InvalidMemory(f"the unchanged share of an anchor must be between 0 and 1, not {self.unchanged!r}")

    @property
    def node(self) -> str:
        """The name of the file or symbol in the code graph: `src/app.py` or `src/app.py:Client.get`."""
        return f"{self.path}:{self.symbol}" if self.symbol else self.path

    @property
    def is_flagged(self) -> bool:
        """Did the code change so much that a reader must be warned?"""
        if self.state == CHANGED and not self.symbol:
            return self.unchanged < _MOSTLY_UNCHANGED
        return self.state != FRESH


@frozen
class CodeBinding:
    """The anchors of a new memory, and by hash the code they bind it to, without secrets."""

    anchors: tuple[CodeAnchor, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict, hash=False)


@frozen
class Freshness:
    """How the code that a memory is about compares with the code it was stored with.

    `state` is `fresh`, `changed`, or `gone` if nothing of it is left. `unchanged` is the share that is left, 0 to 1.
    `flagged` are the changed places that need a warning.
    """

    state: str
    unchanged: float
    flagged: tuple[str, ...] = ()

    @property
    def warning(self) -> str:
        """What a reader must know, in English: that the code changed or is gone; "" if it is fresh."""
        return WARNINGS.get(self.state, "")


@frozen
class CodeChange:
    """What became of the code at one anchor.

    `diff` is a unified diff from the code when the memory was stored to the code now: "" without a difference, None if
    the old code was too long to store.
    """

    anchor: CodeAnchor
    diff: str | None


def freshness_of(anchors: Sequence[CodeAnchor]) -> Freshness | None:
    """Sums up the anchors of a memory; None for a memory that is not bound to code."""
    if not anchors:
        return None
    states = {anchor.state for anchor in anchors}
    flagged = tuple(anchor.node for anchor in anchors if anchor.is_flagged)
    state = GONE if states == {GONE} else CHANGED if flagged else FRESH
    return Freshness(state, sum(anchor.unchanged for anchor in anchors) / len(anchors), flagged)
