"""Measures how likely two statements give values of the same slot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set

from holdfast.core.frozen import frozen
from holdfast.statements.oppositions import Opposition
from holdfast.statements.parsing import Statement
from holdfast.statements.slots import slot_measures

# Closeness of the vectors of two statements below which it does not matter.
_APART = 0.074


@frozen
class Overlap:
    """The weight of the shared words, and the words of only one statement, without opposed words."""

    shared: float
    new: Mapping[str, float]
    old: Mapping[str, float]

    @property
    def least_alone(self) -> float:
        """The smaller weight of the words of only one statement. If it is large, the subjects mostly differ."""
        return min(sum(0.6 + 0.4 * weight for weight in rest.values()) for rest in (self.new, self.old))


def remaining(new: Statement, old: Statement, found: Sequence[Opposition]) -> Overlap:
    """The overlap of two statements. A limit in only one counts as its own, as does a contrast beside others."""
    shared = new.topic.keys() & old.topic.keys()
    ours, theirs = (_alone(statement, shared, found, side) for side, statement in enumerate((new, old)))
    for statement, other, rest in ((new, old, ours), (old, new, theirs)):
        kinds = {value.kind for value in other.values}
        lone = (value for value in statement.values if value.kind not in kinds)
        rest |= {value.text: 1.0 for value in lone if value.bound or value.kind in ("weekday", "date")}
    if len(found) > 1:
        ours |= {f"~{o.new}": 1.0 for o in found if o.kind == "contrast"}
        theirs |= {f"~{o.old}": 1.0 for o in found if o.kind == "contrast"}
    return Overlap(sum(min(new.topic[word], old.topic[word]) for word in shared), ours, theirs)


def update_measures(
    new: Statement, old: Statement, found: Sequence[Opposition], similarity: float | None = None
) -> dict[str, float]:
    """Measures whether two values belong to the same slot at different times; each from 0 to about 1."""
    rest = remaining(new, old, found)
    least = min(sum(new.topic.values()), sum(old.topic.values()))
    measures = {
        "shared": rest.shared / least if least else 0.0,
        "mass": min(rest.shared, 4.0) / 4.0,
        "rare": max((new.topic[word] for word in new.topic.keys() & old.topic.keys()), default=0.0),
        "contrast": float(any(o.kind == "contrast" for o in found)),
        "dated": float(_two_dates(new, old)),
        "other_names": float(bool(new.names - old.names) and bool(old.names - new.names)),
        "changed": float(new.changed),
        "beginning": float(new.beginning or old.beginning),
    } | _best_slot(new, old, found)
    if similarity is None:
        return measures
    return measures | {"near": min(max((similarity - _APART) / (1 - _APART), 0.0), 1.0)}


def weigh(measures: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The probability by logistic regression of the measures."""
    logit = weights["bias"] + sum(weights[name] * value for name, value in measures.items() if name in weights)
    return 1.0 / (1.0 + math.exp(-logit))


def _best_slot(new: Statement, old: Statement, found: Sequence[Opposition]) -> dict[str, float]:
    """The measures of the pair of values that most likely belongs to one slot."""
    pairs = [slot_measures(new, o.values[0], old, o.values[1]) for o in found if o.values]
    return max(pairs, key=lambda measures: measures["unit"] + measures["around"] + measures["stands"], default={})


def _alone(statement: Statement, shared: Set[str], found: Sequence[Opposition], side: int) -> dict[str, float]:
    """The words of only one statement. An opposition uses up a word only if it occurs once."""
    used = frozenset[str]().union(*((o.new_roots, o.old_roots)[side] for o in found if o.kind != "value"))
    return {
        word: weight
        for word, weight in statement.topic.items()
        if word not in shared and (word not in used or word in statement.repeated)
    }


def _two_dates(new: Statement, old: Statement) -> bool:
    ours, theirs = ({value.low for value in statement.values if value.kind == "date"} for statement in (new, old))
    return bool(ours) and bool(theirs) and not ours & theirs
