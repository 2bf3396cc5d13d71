"""Decides by their structure whether two statements give the same attribute of the same thing different values.

Both statements are aligned. Shared words are the subject and the attribute. What differs is a value (`20 MB` → `25 MB`,
`is green` → `is orange`) or a qualifier that distinguishes two things (`Tier 1` and `Tier 2`): a difference in the
subject, a second difference, or a condition that only one statement has make them statements about different things.
A small model weighs these measures; `bench/statements_fit.py` fits it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product

from holdfast.core.frozen import frozen
from holdfast.statements.alignment import Alignment, Segment, SegmentPair, align, content_concepts, units_of
from holdfast.statements.denials import is_withdrawn, name_one_thing_each, names_old_value
from holdfast.statements.oppositions import Opposition, are_limits_of_one_range, is_reversed, oppositions
from holdfast.statements.parsing import Statement
from holdfast.statements.statement_tokens import marks, weight
from holdfast.statements.statement_values import Value

_WEIGHTY = 1.5  # minimum weight of the shared words where any other word may be the value
_LONG = 2.7  # minimum weight of the shared words of a long sentence
_VALUE, _ID, _NAME, _WORD = 4, 3, 2, 1
_WHERE = frozenset(("in", "at", "à", "dans"))  # between `is` and a place
_PARTICIPLES = ("ed", "en", "é", "ée", "és", "ées")
_TIMES = frozenset(("time",))
_DURATION = frozenset(("duration",))
_MARKS = frozenset(("now", "becomes", "correction"))
# Kinds of marks of a change.
CHANGES = _MARKS | {"denied", "gone", "ends", "stay"}
# One person or thing at a time has a role: `Karl owns the service`, `Vera is the team lead`.
_ROLE = re.compile(
    r"\b(?:owns?|leads?|maintains?|manages?|responsible|in charge|chairs?|heads?|is (?:the|our)|occupe|dirige|gère|"
    r"est (?:le|la|l'|notre))(?!\w)"
)
_OWN_ROLE = re.compile(r"\b(?:is|are|est|sont) (?:my|mon|ma)\b")


@frozen
class Structure:
    """How two statements differ: the measures by name, and the difference that decides.

    `stated` is set if the new statement names the old value or withdraws the old statement, `marked` if it says that
    something changed. `pair` are the differing segments, `reversal` the opposed words, if any.
    """

    measures: Mapping[str, float]
    stated: bool
    marked: bool
    pair: SegmentPair | None
    reversal: Opposition | None
    withdrawn: str = ""

    @property
    def quoted(self) -> str:
        """The words that differ: `20 → 25` for a changed value, `enabled ↔ disabled` otherwise."""
        if self.reversal is not None:
            return self.reversal.quoted
        return f"{self.pair.old.text} → {self.pair.new.text}" if self.pair else self.withdrawn

    @property
    def by(self) -> str:
        """The kind of the difference: antonym, negation, scope, value or option."""
        if self.reversal is not None:
            return self.reversal.kind
        if self.pair is None:
            return "negation"
        return "value" if _rank(self.pair) == _VALUE else "option"


@lru_cache(maxsize=16)
def structure(new: Statement, old: Statement, corrects: bool = False) -> Structure | None:
    """The structural differences of two statements; None if nothing says that they cannot both hold. Cached.

    `corrects` is set if the new statement is known to change an earlier one, in words that it does not contain.
    """
    changed = new.change.kinds - old.change.kinds | ({"correction"} if corrects else set())
    if not changed & CHANGES and not _may_align(new.frame, old.frame):
        return None
    found = oppositions(new.frame, old.frame)
    opposed = [o for o in found if o.kind == "antonym"]
    roots = (
        frozenset[str]().union(*(roots)) for roots in zip(*((o.new_roots, o.old_roots) for o in opposed), strict=True)
    )
    alignment = align(new.frame, old.frame, *roots)
    return _Reading(new, old, alignment, found, frozenset(changed)).structure()


def _may_align(new: Statement, old: Statement) -> bool:
    """Do they share two content words, or one if either is short? A cheap check that rules out most pairs."""
    ours, theirs = content_concepts(new), content_concepts(old)
    return len(ours & theirs) >= min(2, len(ours) - 1, len(theirs) - 1) or ours == theirs


@frozen(slots=False, eq=False)
class _Reading:
    """Two statements with their alignment and oppositions, while their differences are weighed."""

    new: Statement
    old: Statement
    aligned: Alignment
    found: Sequence[Opposition]
    changed: frozenset[str]

    def structure(self) -> Structure | None:
        changed = self.changed
        marked = bool(changed & _MARKS)
        named = names_old_value(self.new, self.old)
        planned = "stay" in changed and "plan" in self.old.change.kinds
        stays = planned and (
            "correction" in changed or named or self._shares() or name_one_thing_each(self.new.frame, self.old.frame)
        )
        stated = stays or named or (bool(changed & {"gone", "ends"}) and is_withdrawn(self.new, self.old))
        scope = next((o for o in self.found if o.kind == "scope"), None)
        head, tail, role = self._differences(marked, stated)
        head = [] if scope else head
        if stays:
            tail = [pair for pair in tail if pair.new.text.lower() not in marks("moving")][:1]
        pair = tail[0] if tail else None
        marked = marked and ("correction" in changed or pair is None or self._is_marked(pair))
        reversal = (
            next((o for o in self.found if o.kind in ("antonym", "negation")), None) if self._reversed() else None
        )
        exact = len(tail) + (reversal is not None) <= 1 and not head and not self._beside(pair)
        evidence = self._evidence(pair, role, exact)
        shares, single = self._shares(), len(tail) == 1
        weighty = sum(unit.weight for unit in self.aligned.shared) >= _WEIGHTY
        said = stated or (marked and single and (evidence in ("name", "choice") or (weighty and evidence == "word")))
        if not said and not (shares and (reversal or scope or evidence in ("value", "choice"))):
            return None
        subjects = self._subjects(head, (marked or stated or scope is not None) and not self._is_of_another_person)
        measures = {
            **self._weights(),
            **subjects,
            **self._alone(pair),
            evidence or "nothing": 1.0,
            "exact": float(exact),
            "stated": float(stated),
            "mark": float(marked),
            "mark_word": float(marked and evidence == "word"),
            "mark_case": subjects["case"] if marked or stated else 0.0,
            "mark_case_old": subjects["case_old"] if marked or stated else 0.0,
            "reversed": float(reversal is not None),
            "reversed_too": float(reversal is not None and bool(head or tail)),
            "scope": float(scope is not None),
            "contrast": float(self._has_contrast(pair)),
            "extra": min(len(tail) - 1, 2) / 2 if len(tail) > 1 else 0.0,
            "mixed": float(pair is not None and self._mixed(pair)),
            "verb": float(not marked and self._verbs_differ()),
            **self._modality(),
        }
        return Structure(measures, stated, marked, pair, reversal or scope, self._withdrawn())

    @cached_property
    def _is_of_another_person(self) -> bool:
        """Is one about the speaker alone and the other not (`I moved` and `My sister likes Hamburg`)?"""
        subjects = [{t.word for t in one.tokens[: max(one.verb, 1)]} for one in (self.new.frame, self.old.frame)]
        return any(
            not one.isdisjoint(marks("alone")) and other.isdisjoint(marks("speaker"))
            for one, other in (subjects, reversed(subjects))
        )

    def _shares(self) -> bool:
        return any(unit.kind != "speaker" for unit in self.aligned.shared)

    def _withdrawn(self) -> str:
        """The words that both share, and those that withdraw them: `coffee ↔ no longer`."""
        shared = " ".join(unit.text for unit in self.aligned.shared if unit.kind != "speaker")
        words = (self.new.tokens[n].text for n in sorted(self.new.change.marked | self.new.change.gone))
        return f"{shared} ↔ {' '.join(words)}"

    def _is_marked(self, pair: SegmentPair) -> bool:
        """Does a mark of a change apply to the difference: is it in the same clause, or in none of its own?"""
        change, tokens = self.new.change, self.new.tokens
        clause = [sum(token.text in ",;" for token in tokens[:place]) for place in range(len(tokens))]
        kept = [place for place in range(len(tokens)) if place not in change.marked | change.denied]
        own = {clause[unit.start] for unit in units_of(self.new) if unit.start not in change.marked}
        at = clause[kept[pair.new.units[0].start]]
        return any(clause[place] == at or clause[place] not in own for place in change.new)

    def _has_contrast(self, pair: SegmentPair | None) -> bool:
        """Do contrasting words distinguish two cases, other than the value itself (`Friday afternoons`)?"""
        value = {unit.key for unit in pair.new.units} if pair else set()
        return any(o.kind == "contrast" and not (o.new_roots and o.new_roots <= value) for o in self.found)

    def _reversed(self) -> bool:
        return is_reversed(self.found) and not any(o.kind == "contrast" for o in self.found)

    def _differences(self, marked: bool, stated: bool) -> tuple[list[SegmentPair], list[SegmentPair], bool]:
        """The differing pairs before the verb and after it, the most telling first, and whether they name a role.

        Who acts is no difference where a change is stated: `We moved the docs` against `The docs are on …`.
        """
        acts = (marked or stated) and not self._is_of_another_person
        pairs = [
            pair
            for pair in self.aligned.pairs
            if not (acts and _differ_in_speaker(pair)) and (pair.head or not self._both_hold(pair))
        ]
        head = [pair for pair in pairs if pair.head]
        tail = sorted((pair for pair in pairs if not pair.head), key=_rank, reverse=True)
        alone = not tail and not self.aligned.new and not self.aligned.old and not self._reversed()
        if alone and len(head) == 1 and _rank(head[0]) < _ID and self._is_role(marked):
            return [], head, True
        return head, tail, False

    def _both_hold(self, pair: SegmentPair) -> bool:
        """Are they limits of one range (`at least 5` and `at most 20`), counts of different things, or versions?"""
        new, old = _values(self.new.frame, pair.new), _values(self.old.frame, pair.old)
        if any(are_limits_of_one_range(*both) for both in product(new, old)):
            return True
        counted = [frozenset[str]().union(*(value.unit for value in values)) for values in (new, old)]
        if all(counted) and not counted[0] & counted[1] and not self.changed & _MARKS:
            return True
        if _have_other_periods(new, old):
            return True
        return self._are_versions(pair) or all(
            _is_attribute(frame, segment) for frame, segment in ((self.new.frame, pair.new), (self.old.frame, pair.old))
        )

    def _are_versions(self, pair: SegmentPair) -> bool:
        """Are they versions of one thing, after a verb that leaves room for several: `supports Python 3.11`?"""
        if pair.new.left != pair.old.left or pair.families & _TIMES or not _rank(pair) >= _ID:
            return False
        names = {unit.key for unit in self.aligned.shared if unit.kind == "name"}
        words = {token.word for frame in (self.new.frame, self.old.frame) for token in frame.tokens}
        return pair.new.left in names and not words.isdisjoint(marks("additive"))

    def _is_role(self, marked: bool) -> bool:
        text = " ".join(token.word for token in self.new.frame.tokens)
        return bool(_ROLE.search(text) or (marked and _OWN_ROLE.search(text)))

    def _evidence(self, pair: SegmentPair | None, role: bool, exact: bool) -> str:
        """What differs: a `value`, a `choice` of which only one can hold, or a `name` or `word` in any place."""
        if pair is None:
            return ""
        rank = _rank(pair)
        if rank >= _ID:
            return "value"
        if role or self._has_one_value(pair, exact) or (rank == _NAME and self._moves()):
            return "choice"
        return "name" if rank == _NAME else "word"

    def _has_one_value(self, pair: SegmentPair, exact: bool) -> bool:
        """Do both segments follow words that allow one value: `is …`, `is stored in …`, `use … for X`?

        Two adjectives may both hold (`is tall`, `is funny`), unless the subject names an attribute (`the status of X`).
        A name in a long sentence that is otherwise equal is a value too.
        """
        new, old = pair.new, pair.old
        frames = self.new.frame, self.old.frame
        if all(_follows_being(frame, segment) for frame, segment in zip(frames, (new, old), strict=True)):
            named = _rank(pair) == _NAME or all(_has_article(f, s) for f, s in zip(frames, (new, old), strict=True))
            return named or self._names_attribute()
        if new.word in marks("using") and new.right and new.right == old.right:
            return True
        if exact and new.word == old.word and new.word in marks("single"):
            return True
        if exact and _rank(pair) == _NAME and sum(unit.weight for unit in self.aligned.shared) >= _LONG:
            return True
        words = [{token.word for token in frame.tokens} for frame in frames]
        if new.word != old.word or not (words[0] | words[1]).isdisjoint(marks("additive")):
            return False
        states = not (words[0] & words[1]).isdisjoint(marks("state")) and new.word in marks("towards")
        return states or (new.word in marks("passive") and all(map(_is_passive, frames)))

    @cached_property
    def _only_new(self) -> tuple[Segment, ...]:
        """The segments of only the new statement, without the time at which something changed (`moved in May`)."""
        if "becomes" not in self.changed:
            return self.aligned.new
        return tuple([segment for segment in self.aligned.new if segment.families != {"time"}])

    @cached_property
    def _only_old(self) -> tuple[Segment, ...]:
        """The segments of only the old statement, without the verb that a verb of change replaces.

        `moved to` answers `lives in`, `postponed to` answers `is planned for`.
        """
        if "becomes" not in self.changed:
            return self.aligned.old
        verbs = marks("place") if self._moves() else frozenset[str]()
        said = (s for s in self.aligned.old if any(unit.text.lower() not in verbs for unit in s.units))
        return tuple([segment for segment in said if not self._is_answered(segment)])

    def _is_answered(self, segment: Segment) -> bool:
        """Is it the verb of the old statement, to which the verb of change answers, or how long it has been so?"""
        if segment.kinds == _DURATION and "moves" in self.changed:
            return True
        if len(segment.units) > 1:
            return False
        return segment.units[0].start == self.old.frame.verb or (
            segment.word in marks("being") and _is_participle(segment.units[0].text)
        )

    def _moves(self) -> bool:
        """Does the new statement say that something moved, and the old one where it was?"""
        words = {token.word for token in self.old.tokens}
        return "moves" in self.changed and not words.isdisjoint(marks("place") | marks("being"))

    def _names_attribute(self) -> bool:
        """Has the subject at least two content words: `my favourite colour`, `the default theme`?"""
        frame = self.new.frame
        if any(token.word == "default" for token in frame.tokens[: max(frame.verb, 0)]):
            return True
        return sum(unit.kind != "speaker" and unit.start < frame.verb for unit in units_of(frame)) > 1

    def _weights(self) -> dict[str, float]:
        shared = sum(unit.weight for unit in self.aligned.shared)
        totals = [sum(unit.weight for unit in units) for units in (self.aligned.new_units, self.aligned.old_units)]
        return {"shared": min(shared / min(totals), 1.0) if min(totals) else 0.0, "mass": min(shared, 3.0) / 3.0}

    def _subjects(self, head: Sequence[SegmentPair], acts: bool) -> dict[str, float]:
        """Do the subjects differ, or has only one statement a qualifier before its verb?"""
        new, old = ([s for s in side if s.head] for side in (self.aligned.new, self.aligned.old))
        new_weight, old_weight = (sum(s.weight for s in side if not s.is_speaker) for side in (new, old))
        speaker = not acts and (
            (new_weight and any(s.is_speaker for s in old)) or (old_weight and any(s.is_speaker for s in new))
        )
        differ = bool(head or (new_weight and old_weight) or speaker)
        cases = {"case": new_weight, "case_old": old_weight}
        return {"subject": float(differ), **{name: 0.0 if differ else min(w, 1.0) for name, w in cases.items()}}

    def _beside(self, pair: SegmentPair | None) -> list[Segment]:
        """What only one statement says before its verb or in the clause of the difference."""
        new, old = (pair.new.clause, pair.old.clause) if pair else (0, 0)
        sides = ((self._only_new, new), (self._only_old, old))
        return [s for side, clause in sides for s in side if not s.is_speaker and (s.head or s.clause == clause)]

    def _alone(self, pair: SegmentPair | None) -> dict[str, float]:
        """The weight of what only one statement says after its verb, in the clause of the difference."""
        beside = [segment for segment in self._beside(pair) if not segment.head]
        new, old = (
            min(sum(s.weight for s in beside if s in side), 2.0) / 2 for side in (self._only_new, self._only_old)
        )
        return {"alone_new": new, "alone_old": old, "alone_both": float(new > 0 and old > 0)}

    def _mixed(self, pair: SegmentPair) -> bool:
        """Are the values of different attributes: a weekday and a duration, `10 seconds` and `3 times`?"""
        new, old = pair.new, pair.old
        if not pair.families & {"amount", "time"} and (new.values or old.values):
            return True
        if "amount" not in pair.families or "time" in pair.families:
            return False
        # `Acme monthly` and `Globex quarterly` are two differences.
        words = [any(unit.kind in ("word", "name") for unit in segment.units) for segment in (new, old)]
        return all(words) or self._units_differ(new, old)

    def _units_differ(self, new: Segment, old: Segment) -> bool:
        ours, theirs = _values(self.new.frame, new), _values(self.old.frame, old)
        kinds = {value.kind for value in ours} & {value.kind for value in theirs}
        counted = [frozenset[str]().union(*(value.unit for value in values)) for values in (ours, theirs)]
        bare = any(value.kind == "count" and not value.unit for value in (*ours, *theirs))
        if all(counted) and not counted[0] & counted[1]:
            return True
        return not kinds and not bare

    def _verbs_differ(self) -> bool:
        verbs = [_verb(statement.frame) for statement in (self.new, self.old)]
        return None not in verbs and verbs[0] != verbs[1]

    def _modality(self) -> dict[str, float]:
        new, old = self.new.frame, self.old.frame
        return {
            "adds": float(new.adds or old.adds),
            "condition": float(bool(new.condition) != bool(old.condition)),
            "default": float(new.default != old.default and (new.permits or old.permits)),
        }


def _rank(pair: SegmentPair) -> int:
    """How telling a difference is: a value, a number that names something, a name, a word."""
    families = pair.families
    if families & {"amount", "time"}:
        return _VALUE
    return _ID if "id" in families else _NAME if "name" in families else _WORD


def _differ_in_speaker(pair: SegmentPair) -> bool:
    return pair.head and (pair.new.is_speaker or pair.old.is_speaker)


def _values(statement: Statement, segment: Segment) -> list[Value]:
    return [value for value in statement.values if any(unit.start == value.start for unit in segment.units)]


def _have_other_periods(new: Sequence[Value], old: Sequence[Value]) -> bool:
    """Are they rates over different periods, which are two limits: `100 calls per minute`, `20,000 calls per day`?"""
    periods = [{value.text.split()[-1].lower() for value in side if value.kind == "rate"} for side in (new, old)]
    return all(periods) and periods[0].isdisjoint(periods[1])


def _follows_being(statement: Statement, segment: Segment) -> bool:
    """Does it follow `is` or the like, with an article or a title at most between them?"""
    start = segment.units[0].start
    before = [token.word for token in statement.tokens[max(0, start - 3) : start]]
    if before[-1:] == ["."] and before[-2:-1] and before[-2] in marks("article"):  # `is Dr. Winter`
        before.pop()
    while before and before[-1] in marks("article"):
        before.pop()
    if len(before) > 1 and before[-1] in _WHERE and before[-2] in marks("being"):
        before.pop()
    return bool(before) and before[-1] in marks("being")


def _is_attribute(statement: Statement, segment: Segment) -> bool:
    """Is it a time that says which one: `the 8:15 train`?"""
    last = segment.units[-1]
    following = statement.tokens[last.end : last.end + 1]
    names = any(weight(token.root) > 0 and token.word[0].isalpha() for token in following)
    return segment.families == _TIMES and names and _has_article(statement, segment)


def _has_article(statement: Statement, segment: Segment) -> bool:
    start = segment.units[0].start
    return bool(start) and statement.tokens[start - 1].word in marks("article")


def _is_participle(word: str) -> bool:
    return word.endswith(_PARTICIPLES) or word in marks("participle")


def _is_passive(statement: Statement) -> bool:
    """Does it say that something is stored, sorted, written, and not that it may be?"""
    words = [token.word for token in statement.tokens]
    beings = [n for n, word in enumerate(words[:-1]) if word in marks("being")]
    return not statement.permits and any(_is_participle(words[n + 1]) for n in beings)


def _verb(statement: Statement) -> str | None:
    """The root of the verb, unless it is an auxiliary or not found."""
    if not 0 <= statement.verb < len(statement.tokens):
        return None
    token = statement.tokens[statement.verb]
    return None if token.word in marks("verb") else token.root
