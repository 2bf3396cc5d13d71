"""Finds contradictions between a change's specs and the canonical specs, and among memories.

Two recipes. `default` compares the meaning of two statements (see `holdfast.statements`). `energy` counts words:
0.6 × (any of seven pairs of opposed words) + 0.4 × word overlap; it rejects from 0.7 and warns from 0.3.
"""

from __future__ import annotations

import os
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason
from holdfast.documents.document_reasons import DocumentCode
from holdfast.documents.specs import Requirement, read_spec
from holdfast.statements import compare
from holdfast.statements.parsing import read

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.statements import Verdict

# From this score on, a contradiction fails the check; below it, it is a warning for a person to judge.
_SURE = 0.5
_REJECT, _WARN = 0.7, 0.3
_OPPOSED = (
    *(("must", "never"), ("always", "don't"), ("enable", "disable"), ("allow", "deny")),
    *(("require", "forbid"), ("include", "exclude"), ("add", "remove")),
)
_WORD = re.compile(r"[\w']+")
_COLON = re.compile(r": ")
# A word that occurs in more memories than this is too common to make two of them worth comparing.
_RARE = 40
# A longer text makes more than one statement.
_LONGEST_STATEMENT = 300
# Types of memories that report what happened; the others state how things are or should be.
_REPORTS = frozenset(
    ("error_pattern", "dead_end", "work_state", "work_unit_outcome", "workflow_recipe", "causal_dependency",
     "prefetch_pattern", "e2e_observation", "task_calibration", "context_cost")
)  # fmt: skip
_AGAINST = ("update", "clash")
# Statements about one subject share two topic words, or all but one of a short statement's.
_SHARED = 2


@frozen
class Contradiction:
    """Two texts that seem to contradict each other. `where` is the location of `a`, `against` that of `b`.

    `level` is `reject` or `warn`; `energy` is the score of the recipe.
    """

    level: str
    a: str
    b: str
    reason: Reason
    where: str
    against: str
    recipe: str
    energy: float


@frozen
class LocatedText:
    """A text to compare, and its location. `overheard`: nobody stored it on purpose."""

    text: str
    where: str
    overheard: bool = False


def validate_change(folder: Path, recipe: str = "default") -> tuple[Contradiction, ...]:
    """Finds contradictions of a change's delta specs, the worst first.

    `folder` is the change (`…/changes/NAME`, which contains `specs/CAPABILITY/spec.md`). The canonical specs are in
    `specs` beside `changes`. Requirements that the change removes or modifies are ignored.
    """
    judge = _recipe(recipe)
    if not os.path.isdir(folder):
        raise NotFound(f"change {folder}", hint="Name the folder of a change that contains a folder `specs`.")
    canonical = folder.parent.parent / "specs"
    delta, current = _specs(folder / "specs", folder.parent.parent), _specs(canonical, canonical.parent)
    if not delta:
        raise InvalidInput(f"{folder} contains no delta specs", hint="They are expected in specs/CAPABILITY/spec.md.")
    return _ordered(judge(new, old) for new, old in _pairs(delta, current))


def validate_memories(memories: Iterable[Memory], recipe: str = "default") -> tuple[Contradiction, ...]:
    """Finds memories that contradict each other; the newer of two is `a`. The cost grows linearly with the memories.

    Memories of decision records are ignored, because a record names the records it supersedes. So are reports of what
    happened, and memories too long to be one statement.
    """
    judge = _among_memories if recipe == "default" else _recipe(recipe)
    # Without the memories themselves, which are ten times as large.
    dated = [
        (memory.event_time or memory.created_at, LocatedText(memory.content, memory.id, not memory.is_taught))
        for memory in filter(_states, memories)
    ]
    texts = [text for _, text in sorted(dated, key=itemgetter(0))]
    return _ordered(judge(texts[new], texts[old]) for old, new in _candidate_pairs(texts))


def _states(memory: Memory) -> bool:
    """Does a memory state one thing, which another may contradict?"""
    is_statement = memory.type not in _REPORTS and not memory.from_decision_record
    return is_statement and len(memory.content) <= _LONGEST_STATEMENT


def energy(a: str, b: str) -> float:
    """Measures how much two requirements oppose each other by their words, from 0 to 1."""
    first, second = (frozenset(_WORD.findall(text.lower().replace("’", "'"))) for text in (a, b))
    opposed = any((x in first and y in second) or (y in first and x in second) for x, y in _OPPOSED)
    overlap = len(first & second) / len(first | second) if first | second else 0.0
    return 0.6 * opposed + 0.4 * overlap


def _recipe(name: str) -> Callable[[LocatedText, LocatedText], Contradiction | None]:
    known = {"default": _by_meaning, "energy": _by_energy}
    if name not in known:
        raise InvalidInput(f"there is no recipe {name!r}", hint=f"Choose one of {', '.join(known)}.")
    return known[name]


def _among_memories(new: LocatedText, old: LocatedText) -> Contradiction | None:
    """The contradiction of two memories, if their words tell of one and reading both confirms it.

    Of all pairs of memories about one subject few contradict each other, so that reading alone would mostly report
    pairs that do not (docs/research/evidence.md).
    """
    shared = _introduction(new.text, old.text)
    one, other = new.text[shared:], old.text[shared:]
    if compare(one, other, doubtful=True, reading=False).kind not in _AGAINST:
        return None
    return _finding(new, old, compare(one, other, overheard=new.overheard or old.overheard))


def _introduction(one: str, other: str) -> int:
    """The length of the words before a colon with which both begin: items of one list say different things."""
    ends = (colon.end() for colon in _COLON.finditer(one))
    return max((end for end in ends if other.startswith(one[:end])), default=0)


def _by_meaning(new: LocatedText, old: LocatedText) -> Contradiction | None:
    return _finding(new, old, compare(new.text, old.text, doubtful=True))


def _finding(new: LocatedText, old: LocatedText, verdict: Verdict) -> Contradiction | None:
    if verdict.kind not in _AGAINST:
        return None
    level = "reject" if verdict.score >= _SURE else "warn"
    reason = Reason.of(DocumentCode.DIFFERENCE, difference=verdict.difference)
    return Contradiction(level, new.text, old.text, reason, new.where, old.where, "default", verdict.score)


def _by_energy(new: LocatedText, old: LocatedText) -> Contradiction | None:
    score = energy(new.text, old.text)
    if score < _WARN:
        return None
    level = "reject" if score >= _REJECT else "warn"
    reason = Reason.of(DocumentCode.ENERGY, energy=f"{score:.2f}")
    return Contradiction(level, new.text, old.text, reason, new.where, old.where, "energy", round(score, 3))


def _specs(folder: Path, base: Path) -> tuple[Requirement, ...]:
    files = sorted(path for path in folder.rglob("*.md") if path.is_file() and not path.is_symlink())
    return tuple(found for path in files for found in read_spec(path, path.relative_to(base).as_posix()))


def _pairs(delta: Sequence[Requirement], current: Sequence[Requirement]) -> Iterator[tuple[LocatedText, LocatedText]]:
    """Pairs each requirement of the change with those that stay valid, and with the others of the change."""
    gone = _gone(delta)
    changed = [_text(r) for r in delta if r.section in ("ADDED", "MODIFIED", "")]
    valid = [_text(r) for r in current if (_capability(r), r.key) not in gone]
    yield from ((new, old) for new in changed for old in valid)
    yield from ((new, old) for old, new in combinations(changed, 2))


def _gone(delta: Sequence[Requirement]) -> set[tuple[str, str]]:
    """Returns the requirements that the change removes or modifies, under both names where it renames them too."""
    gone = {(_capability(r), r.key) for r in delta if r.section in ("REMOVED", "MODIFIED")}
    renamed = {(_capability(r), r.key): replace(r, name=r.text).key for r in delta if r.section == "RENAMED"}
    return gone | {(place, renamed[place, key]) for place, key in gone if (place, key) in renamed}


def _capability(requirement: Requirement) -> str:
    return f"/{requirement.file}".rpartition("/specs/")[2]


def _text(requirement: Requirement) -> LocatedText:
    return LocatedText(requirement.text or requirement.name, requirement.where)


def _candidate_pairs(texts: Sequence[LocatedText]) -> Iterator[tuple[int, int]]:
    """Yields pairs that share enough topic words, found through words that occur in few texts."""
    numbers: dict[str, int] = {}
    topics = [array("L", [numbers.setdefault(word, len(numbers)) for word in read(text.text).topic]) for text in texts]
    texts_with = _texts_with_rare(topics)
    for first, topic in enumerate(topics):
        own = set(topic)
        later = {other for word in topic for other in texts_with.get(word, ()) if other > first}
        for second in sorted(later):
            shortest = min(len(topic), len(topics[second]))
            if len(own.intersection(topics[second])) >= max(1, min(_SHARED, shortest - 1)):
                yield first, second


def _texts_with_rare(topics: Sequence[array[int]]) -> Mapping[int, array[int]]:
    """The texts that contain each word, without words that occur in one text or in too many."""
    counts = Counter(chain.from_iterable(topics))
    texts_with = {word: array("L") for word, count in counts.items() if 1 < count <= _RARE}
    for number, topic in enumerate(topics):
        for word in topic:
            if word in texts_with:
                texts_with[word].append(number)
    return texts_with


def _ordered(findings: Iterable[Contradiction | None]) -> tuple[Contradiction, ...]:
    contradictions = (finding for finding in findings if finding is not None)
    return tuple(sorted(contradictions, key=lambda f: (f.level != "reject", -f.energy, f.where, f.against)))
