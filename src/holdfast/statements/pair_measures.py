"""Measures of two statements in any wording, from which a model estimates whether both can hold.

Where the words of two statements align, `structure` compares them part by part. These measures also describe pairs that
do not align: how much of each statement the other one covers, who each is about, which values and names differ, and
how the newer one says that something changed. Each measure is between 0 and 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property

from holdfast.core.frozen import frozen
from holdfast.statements.alignment import Alignment, Unit, align, content_keys, units_of
from holdfast.statements.denials import is_withdrawn, names_old_value
from holdfast.statements.oppositions import is_reversed, oppositions
from holdfast.statements.parsing import Statement
from holdfast.statements.statement_tokens import marks
from holdfast.statements.structure import CHANGES, Structure

# Kinds of marks that say that something changed, also those that say so of some subjects only.
EVENTS = CHANGES | {"starts", "life", "progress"}
_NEW_MARKS = (
    *("now", "becomes", "gone", "ends", "correction", "denied", "stay", "plan", "moves", "cancels", "time", "old"),
    *("starts", "life", "progress"),
)
_OLD_MARKS = ("plan", "now", "becomes", "gone", "ends", "life", "starts")
_VALUE_KINDS = ("weekday", "date", "clock", "money", "duration", "count", "size", "rate")
_OPPOSITIONS = ("antonym", "negation", "contrast", "scope")
_FEW, _MANY = 2, 4  # counts are divided by these
_LONG = 30  # number of words of a long statement
_ONE_DAY = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|this (?:morning|afternoon|evening|time)|the weekend|"
    r"last (?:night|week|month|year|summer|winter|spring|autumn|weekend)|next (?:week|month|year)|"
    r"hier|aujourd'hui|demain|ce (?:matin|soir)|cette fois|(?:la semaine|le mois|l'an|l'été) derni\w+|week-end)\b"
)
_CIRCUMSTANCE = re.compile(
    r"(?:on|in|during|for|at|when|if|before|after|le|en|pendant|quand|si|pour|sur|avec|chez|dans|à)\b[^,]{2,40},"
    r"|(?:on|in|during|for|when|if|en|pendant|quand|si|pour|sur)\b"
)
_PAST = re.compile(
    r"\b(?:\w+ed|was|were|had|went|took|met|saw|got|bought|sold|spent|ran|wrote|said|told|came|made|a été|ai \w+é"
    r"|a \w+é|avons \w+é|était)\b"
)
_PERFECT = re.compile(
    r"\b(?:(?:has|have|\w+'ve|'s) (?:just |now |finally |already |since )?(?:been |got )?"
    r"\w{3,}(?:ed|en|ne|nt|wn|ut|ought|old|ade|ound|eft|one)|(?:was|were|got|get) \w{3,}(?:ed|en|wn|old|ut)|"
    r"(?:a|ai|ont|avons|est|sont|suis) (?:été )?\w{2,}(?:é|ée|és|ées|u|ue|i|ie|it|is|ert)|vient de|viens de)\b"
)
_STATE = re.compile(r"\b(?:is|are|am|\w+'s|i'm|we're|est|sont|suis|a|ai|have|has)\b")
_GOING_ON = re.compile(
    r"\b(?:is|are|am|i'm|we're|\w+'s) (?:being |still )?\w+ing\b|\ben (?:cours|route|train|travaux)\b"
)
_PERIODS = frozenset(("per", "a", "an", "each", "every", "par"))


def pair_measures(new: Statement, old: Statement, found: Structure | None, likely: float) -> dict[str, float]:
    """The measures of a pair by name; `found` is how the aligned words differ, `likely` how likely that is a conflict.

    `likely` is 0 if nothing was found.
    """
    pair = _Pair(new, old, align(new.frame, old.frame))
    return {
        **pair.overlap(),
        **pair.coverage(),
        **pair.changes(),
        **pair.values(),
        **pair.names(),
        **pair.people(),
        **pair.polarity(),
        **pair.circumstances(),
        **_structural(found),
        "structure_likely": likely,
    }


def shares_topic(new: Statement, old: Statement) -> bool:
    """Do they share a content word, or words that mean nearly the same? A cheap check that rules out most pairs."""
    return not _concepts(units_of(new)).isdisjoint(_concepts(units_of(old)))


@frozen(slots=False, eq=False)
class _Pair:
    """Two statements with their alignment, while they are measured."""

    new: Statement
    old: Statement
    aligned: Alignment

    @cached_property
    def new_units(self) -> list[Unit]:
        return [unit for unit in units_of(self.new.frame) if unit.kind != "speaker"]

    @cached_property
    def old_units(self) -> list[Unit]:
        return [unit for unit in units_of(self.old.frame) if unit.kind != "speaker"]

    @cached_property
    def kinds(self) -> frozenset[str]:
        return self.new.change.kinds

    def overlap(self) -> dict[str, float]:
        """How much the statements share, and how much only one says."""
        shared = [unit for unit in self.aligned.shared if unit.kind != "speaker"]
        weight, new, old = _weight(shared), _weight(self.new_units), _weight(self.old_units)
        mass = min(weight, 4.0) / 4
        return {
            "shared_min": weight / max(min(new, old), 0.1),
            "shared_max": weight / max(new, old, 0.1),
            "mass": mass,
            "marked_mass": mass * self._changes,
            "shared_name": float(any(unit.kind == "name" for unit in shared)),
            "only_new": min(sum(segment.weight for segment in self.aligned.new), 4.0) / 4,
            "only_old": min(sum(segment.weight for segment in self.aligned.old), 4.0) / 4,
            "pairs": min(len(self.aligned.pairs), 3) / 3,
            "head_pairs": float(any(pair.head for pair in self.aligned.pairs)),
            "length_new": min(len(self.new.tokens), _LONG) / _LONG,
            "length_old": min(len(self.old.tokens), _LONG) / _LONG,
        }

    def coverage(self) -> dict[str, float]:
        """How much of what each statement is about the other one mentions, before and after the verb."""
        measures: dict[str, float] = {}
        sides = (
            ("new", self.new_units, self.new.frame, _concepts(self.old_units)),
            ("old", self.old_units, self.old.frame, _concepts(self.new_units)),
        )
        for name, units, frame, other in sides:
            topic = [unit for unit in units if _is_topic(unit)]
            head = [unit for unit in topic if unit.start < frame.verb]
            tail = [unit for unit in topic if unit.start >= frame.verb]
            alone = [unit for unit in topic if unit.concept not in other]
            measures |= {
                f"covered_{name}": _covered(topic, other),
                f"head_{name}": _covered(head, other),
                f"tail_{name}": _covered(tail, other),
                f"no_head_{name}": float(not head),
                f"alone_{name}": min(len(alone), _MANY) / _MANY,
                f"alone_head_{name}": min(sum(unit.start < frame.verb for unit in alone), _FEW) / _FEW,
                f"qualifier_{name}": min(_qualifiers(alone, units, other), _FEW) / _FEW,
            }
        both = {
            "alone_both": float(bool(measures["alone_new"] and measures["alone_old"])),
            "qualifier_both": float(bool(measures["qualifier_new"] and measures["qualifier_old"])),
        }
        marked = ("covered_new", "covered_old", "head_new", "head_old", "alone_new", "alone_old")
        return {**measures, **both, **{f"marked_{name}": measures[name] * self._changes for name in marked}}

    def changes(self) -> dict[str, float]:
        """How the newer statement says that something changed, and what it says of the old value."""
        old = content_keys(self.old)
        denied = [unit for unit in units_of(self.new) if unit.start in self.new.change.denied]
        withdraws = bool(self.kinds & {"gone", "ends"}) and is_withdrawn(self.new, self.old)
        return {
            **{f"new_{kind}": float(kind in self.kinds) for kind in _NEW_MARKS},
            **{f"old_{kind}": float(kind in self.old.change.kinds) for kind in _OLD_MARKS},
            "marked": float(bool(self.kinds & CHANGES)),
            "life_both": float("life" in self.kinds and "life" in self.old.change.kinds),
            "names_old": float(names_old_value(self.new, self.old)),
            "withdraws": float(withdraws),
            "denied_in_old": float(any(unit.key in old for unit in denied)),
            "denied_name": float(any(unit.kind == "name" and unit.key in old for unit in denied)),
            "replaced_in_old": float(any(u.key in old for u in denied if u.start in self.new.change.replaced)),
            **self._tenses(),
        }

    def _tenses(self) -> dict[str, float]:
        """Does the newer statement tell what has happened, and the older one how things stand?"""
        head = _covered(
            [unit for unit in self.old_units if _is_topic(unit) and unit.start < self.old.frame.verb],
            _concepts(self.new_units),
        )
        perfect, state = _has(_PERFECT, self.new), _has(_STATE, self.old)
        return {
            "perfect": perfect,
            "state": state,
            "going_on": _has(_GOING_ON, self.old),
            "ended_state": perfect * state * head,
        }

    def values(self) -> dict[str, float]:
        """Which values differ, and whether they measure the same thing."""
        new, old = self.new.frame.values, self.old.frame.values
        alike = [(v, w) for v in new for w in old if v.kind == w.kind]
        differing = [(v, w) for v, w in alike if not v.equals(w)]
        counted = [(v.unit, w.unit) for v, w in differing if v.kind in ("count", "rate") and v.unit and w.unit]
        differs = float(bool(differing))
        return {
            "value": differs,
            "marked_value": differs * self._marked,
            "value_equal": float(len(alike) > len(differing)),
            "value_unit": float(any(v.kind != "count" or v.unit & w.unit for v, w in differing)),
            "value_other_unit": float(any(not one & other for one, other in counted)),
            "value_other_period": float(any(_period(v.text) != _period(w.text) for v, w in differing)),
            "value_new_only": float(bool(new) and not old),
            "value_old_only": float(bool(old) and not new),
            "marked_value_new_only": float(bool(new) and not old) * self._marked,
            "values_new": min(len(new), 3) / 3,
            "values_old": min(len(old), 3) / 3,
            **{f"value_{kind}": float(any(v.kind == kind for v, _ in differing)) for kind in _VALUE_KINDS},
        }

    def names(self) -> dict[str, float]:
        """Which statement has names or numbers that the other one lacks, before and after the verb."""
        new, old = (_named(units) for units in (self.new_units, self.old_units))
        new_head = _named([u for u in self.new_units if u.start < self.new.frame.verb]) - old
        old_head = _named([u for u in self.old_units if u.start < self.old.frame.verb]) - new
        ours, theirs = new - old, old - new
        return {
            "name_new": float(bool(ours)),
            "name_old": float(bool(theirs)),
            "name_both": float(bool(ours and theirs)),
            "marked_name_new": float(bool(ours)) * self._marked,
            "marked_name_both": float(bool(ours and theirs)) * self._marked,
            "name_head_new": float(bool(new_head)),
            "name_head_old": float(bool(old_head)),
            "name_head": float(bool(new_head and old_head)),
            "name_tail": float(bool(ours - new_head and theirs - old_head)),
        }

    def people(self) -> dict[str, float]:
        """Are both about the same person: the speaker, a relative, somebody with a name?"""
        new, old = _person(self.new), _person(self.old)
        kin = [person.startswith("kin ") for person in (new, old)]
        named = [person.startswith("name ") for person in (new, old)]
        return {
            "person": float(new == old),
            "marked_person": float(new == old) * self._marked,
            "other_kin": float(all(kin) and new != old),
            "one_kin": float(any(kin) and not all(kin)),
            "other_named": float(all(named) and new != old),
            "both_speaker": float(new == old == "speaker"),
            "both_group": float(new == old == "group"),
            "one_speaker": float((new == "speaker") != (old == "speaker")),
        }

    def polarity(self) -> dict[str, float]:
        """Do they oppose each other by antonyms or negations?"""
        found = oppositions(self.new.frame, self.old.frame)
        return {
            **{kind: float(any(opposition.kind == kind for opposition in found)) for kind in _OPPOSITIONS},
            "reversed": float(is_reversed(found)),
            "negated_new": float(self.new.negated),
            "negated_old": float(self.old.negated),
        }

    def circumstances(self) -> dict[str, float]:
        """What limits a statement: a day, a condition, a tense; and whether the newer one only adds something."""
        new, old = self.new, self.old
        return {
            "adds": float(new.adds),
            "condition_new": float(bool(new.condition)),
            "condition_old": float(bool(old.condition)),
            "default_differs": float(new.default != old.default),
            "one_day_new": _has(_ONE_DAY, new),
            "one_day_old": _has(_ONE_DAY, old),
            "circumstance_new": float(_CIRCUMSTANCE.match(new.text.lower()) is not None),
            "circumstance_old": float(_CIRCUMSTANCE.match(old.text.lower()) is not None),
            "past_new": _has(_PAST, new),
            "past_old": _has(_PAST, old),
        }

    @cached_property
    def _changes(self) -> float:
        return float(bool(self.kinds & EVENTS))

    @cached_property
    def _marked(self) -> float:
        return float(bool(self.kinds & CHANGES))


def _structural(found: Structure | None) -> dict[str, float]:
    if found is None:
        return {}
    measures = {f"structure_{name}": value for name, value in found.measures.items()}
    return {**measures, "structure": 1.0, "structure_said": float(found.stated), "structure_new": float(found.marked)}


def _weight(units: Iterable[Unit]) -> float:
    return sum(unit.weight for unit in units)


def _is_topic(unit: Unit) -> bool:
    """Says what a statement is about, unlike a value or a name, which may be what changed."""
    return unit.kind == "word"


def _concepts(units: Iterable[Unit]) -> frozenset[str]:
    return frozenset([unit.concept for unit in units if unit.kind in ("word", "name", "id")])


def _named(units: Iterable[Unit]) -> frozenset[str]:
    return frozenset([unit.key for unit in units if unit.kind in ("name", "id")])


def _covered(units: Sequence[Unit], other: Set[str]) -> float:
    whole = _weight(units)
    return _weight(unit for unit in units if unit.concept in other) / whole if whole else 0.0


def _qualifiers(alone: Iterable[Unit], units: Iterable[Unit], other: Set[str]) -> int:
    """The number of words of only one statement right before a shared one: `refresh` in `refresh tokens`."""
    shared = {unit.start for unit in units if unit.concept in other}
    return sum(unit.end in shared for unit in alone)


def _person(statement: Statement) -> str:
    """Who a statement is about: `speaker`, `group`, `kin …`, `name …` or empty."""
    opening = statement.tokens[: max(statement.verb, 1) + 1 if statement.verb > 0 else 5]
    words = [token.word.removesuffix("'s") for token in opening]
    for word in words:
        if word in marks("kin"):
            return f"kin {word}"
    if not marks("self").isdisjoint(words):
        return "speaker"
    if not marks("group").isdisjoint(words):
        return "group"
    return next((f"name {token.root}" for token in opening if token.name), "")


def _period(text: str) -> str:
    """The period of a rate: `minute` in `100 calls per minute`."""
    words = text.lower().replace("/", " per ").split()
    return words[-1].rstrip("s") if len(words) > 1 and words[-2] in _PERIODS else ""


def _has(pattern: re.Pattern[str], statement: Statement) -> float:
    return float(pattern.search(statement.text.lower()) is not None)


def measures_row(measures: Mapping[str, float], names: Sequence[str]) -> list[float]:
    """The measures in the order of their names; a missing one is 0."""
    return [measures.get(name, 0.0) for name in names]
