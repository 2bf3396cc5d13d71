"""Counts how many memories of real conversations a later statement retires.

Pairs of statements that people wrote do not show errors of this kind: every third of them is a change, but of the
statements that are near each other in real conversations hardly one in a hundred.
Standalone: `python -m bench.conversation.retired [DATA]`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.conversation.consolidation import consolidated
from bench.conversation.extract import DATA
from bench.conversation.kept import conversations, messages_of
from holdfast.bench.reports import Figure, aligned
from holdfast.core.memory import Memory

# The data sets, and the most memories of a hundred that may be retired there.
SETS = {"coding-sessions": 2.0, "sde-bench": 4.0, "longmemeval": 2.0}
_CHATS = 300
# Up to this many retired memories are no failure: of a hundred, one true change of mind is half of the limit.
_FEW = 3


def figures(data: Path = DATA, chats: int = _CHATS) -> Iterator[Figure]:
    """For each data set the share of learned memories that a later one retired; nothing if the data is missing."""
    for name, most in SETS.items():
        if (data / name).is_dir():
            facts = _learned(name, data, chats)
            retired = sum(_is_retired(fact, facts) for fact in facts)
            share = 100 * retired / max(1, len(facts))
            title = f"{name}: retired of {len(facts):,} memories"
            holds = share <= most or retired <= _FEW
            yield Figure(title, f"{retired} ({share:.1f} %)", f"≤ {most:.0f} % or {_FEW}", holds)


def _learned(name: str, data: Path, chats: int) -> Sequence[Memory]:
    talks = [messages_of(id, turns) for id, turns in list(conversations(name, data).items())[:chats] if turns]
    return consolidated(talks).facts


def _is_retired(fact: Memory, facts: Sequence[Memory]) -> bool:
    return any(r.kind == "supersedes" and r.memory == fact.id for other in facts for r in other.relations)


def main(arguments: Sequence[str]) -> None:
    found = figures(Path(arguments[0]) if arguments else DATA)
    print(aligned([(figure.name, figure.value, figure.target) for figure in found]))


if __name__ == "__main__":
    main(sys.argv[1:])
