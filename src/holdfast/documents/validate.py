"""Contradictions: of a change's specs with the specs that hold, and among memories (R-D9, R-E8).

Two recipes. `default` compares what two requirements say (see `holdfast.trust.statements`). `energy` is the seed's:
0.6 × (one of seven opposed words on either side) + 0.4 × word overlap, rejected from 0.7, warned of from 0.3.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput, NotFound
from holdfast.documents.specs import Requirement, read_spec
from holdfast.trust.statements import compare
from holdfast.trust.statements.parsing import read

if TYPE_CHECKING:
    from holdfast.core.memory import Memory

# How sure a contradiction must be to fail a check; below, a person is asked to look.
_SURE = 0.2
_REJECT, _WARN = 0.7, 0.3
_OPPOSED = (
    *(("must", "never"), ("always", "don't"), ("enable", "disable"), ("allow", "deny")),
    *(("require", "forbid"), ("include", "exclude"), ("add", "remove")),
)
_WORD = re.compile(r"[\w']+")
# A word that more memories than this share brings no two of them together.
_RARE = 40
# A text of more characters says more than one thing.
_STATEMENT = 300
_SHARED = 2


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two texts that seem to contradict each other. `where` is the place of `a`, `against` that of `b`."""

    level: str
    a: str
    b: str
    reason: str
    where: str
    against: str
    recipe: str
    energy: float


@dataclass(frozen=True, slots=True)
class LocatedText:
    """A text to compare, and its place."""

    text: str
    where: str


def validate_change(folder: Path, canonical: Path | None = None, recipe: str = "default") -> tuple[Contradiction, ...]:
    """What a change's delta specs contradict, the worst first.

    `folder` is the change (`…/changes/NAME`, with `specs/CAPABILITY/spec.md` in it), `canonical` the folder of the
    specs that hold; without it, the `specs` beside `changes`. What the change removes or modifies no longer counts.
    """
    judge = _recipe(recipe)
    if not folder.is_dir():
        raise NotFound(f"change {folder}", hint="Name the folder of a change that holds a folder `specs`.")
    holds = canonical or folder.parent.parent / "specs"
    delta, standing = _specs(folder / "specs", folder.parent.parent), _specs(holds, holds.parent)
    if not delta:
        raise InvalidInput(f"{folder} holds no delta specs", hint="They are expected in specs/CAPABILITY/spec.md.")
    return _ordered(judge(new, old) for new, old in _pairs(delta, standing))


def validate_memories(memories: Iterable[Memory], recipe: str = "default") -> tuple[Contradiction, ...]:
    """Which memories contradict each other; the newer of the two is `a`. Grows with the memories, not their square.

    Left out are those that stand for a decision record: a record takes the place of another by saying so. So are those
    too long to be one statement.
    """
    judge = _recipe(recipe)
    told = (memory for memory in memories if not memory.from_decision_record and len(memory.content) <= _STATEMENT)
    ordered = sorted(told, key=lambda memory: memory.event_time or memory.created_at)
    texts = [LocatedText(memory.content, memory.id) for memory in ordered]
    return _ordered(judge(texts[new], texts[old]) for old, new in _meeting(texts))


def energy(a: str, b: str) -> float:
    """The seed's measure of how much two requirements oppose each other, 0 to 1."""
    one, two = (frozenset(_WORD.findall(text.lower().replace("’", "'"))) for text in (a, b))
    opposed = any((x in one and y in two) or (y in one and x in two) for x, y in _OPPOSED)
    overlap = len(one & two) / len(one | two) if one | two else 0.0
    return 0.6 * opposed + 0.4 * overlap


def _recipe(name: str) -> Callable[[LocatedText, LocatedText], Contradiction | None]:
    known = {"default": _by_meaning, "energy": _by_energy}
    if name not in known:
        raise InvalidInput(f"there is no recipe {name!r}", hint=f"Choose one of {', '.join(known)}.")
    return known[name]


def _by_meaning(new: LocatedText, old: LocatedText) -> Contradiction | None:
    verdict = compare(new.text, old.text)
    if verdict.kind not in ("update", "clash"):
        return None
    level = "reject" if verdict.score >= _SURE else "warn"
    return Contradiction(level, new.text, old.text, verdict.difference, new.where, old.where, "default", verdict.score)


def _by_energy(new: LocatedText, old: LocatedText) -> Contradiction | None:
    found = energy(new.text, old.text)
    if found < _WARN:
        return None
    level = "reject" if found >= _REJECT else "warn"
    return Contradiction(
        level, new.text, old.text, f"energy {found:.2f}", new.where, old.where, "energy", round(found, 3)
    )


def _specs(folder: Path, base: Path) -> tuple[Requirement, ...]:
    files = sorted(path for path in folder.rglob("*.md") if path.is_file() and not path.is_symlink())
    return tuple(found for path in files for found in read_spec(path, path.relative_to(base).as_posix()))


def _pairs(delta: Sequence[Requirement], standing: Sequence[Requirement]) -> Iterator[tuple[LocatedText, LocatedText]]:
    """What the change says with what will hold beside it, and with the rest of the change."""
    gone = _gone(delta)
    says = [_text(r) for r in delta if r.section in ("ADDED", "MODIFIED", "")]
    holds = [_text(r) for r in standing if (_capability(r), r.key) not in gone]
    yield from ((new, old) for new in says for old in holds)
    yield from ((new, old) for old, new in combinations(says, 2))


def _gone(delta: Sequence[Requirement]) -> set[tuple[str, str]]:
    """What no longer holds as it stands: removed, or modified, under its old name where it is renamed as well."""
    gone = {(_capability(r), r.key) for r in delta if r.section in ("REMOVED", "MODIFIED")}
    renamed = {(_capability(r), r.key): replace(r, name=r.text).key for r in delta if r.section == "RENAMED"}
    return gone | {(place, renamed[place, key]) for place, key in gone if (place, key) in renamed}


def _capability(requirement: Requirement) -> str:
    return f"/{requirement.file}".rpartition("/specs/")[2]


def _text(requirement: Requirement) -> LocatedText:
    return LocatedText(requirement.text or requirement.name, requirement.where)


def _meeting(texts: Sequence[LocatedText]) -> Iterator[tuple[int, int]]:
    """The pairs that share enough telling words, found through words that few texts have."""
    topics = [frozenset(read(text.text).topic) for text in texts]
    holders: dict[str, list[int]] = {}
    for place, topic in enumerate(topics):
        for word in topic:
            holders.setdefault(word, []).append(place)
    met: Counter[tuple[int, int]] = Counter()
    for places in holders.values():
        if len(places) <= _RARE:
            met.update(combinations(places, 2))
    for one, two in sorted(met):
        if len(topics[one] & topics[two]) >= min(_SHARED, len(topics[one]), len(topics[two])):
            yield one, two


def _ordered(found: Iterable[Contradiction | None]) -> tuple[Contradiction, ...]:
    kept = (finding for finding in found if finding is not None)
    return tuple(sorted(kept, key=lambda f: (f.level != "reject", -f.energy, f.where, f.against)))
