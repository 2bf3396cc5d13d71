"""Decides by their structure whether two statements give the same attribute of the same thing different values.

Both statements are aligned. Shared words are the subject and the attribute. What differs is a value (`20 MB` → `25 MB`,
`is green` → `is orange`) or a qualifier that distinguishes two things (`Tier 1` and `Tier 2`): a difference in the
subject, a second difference, or a condition that only one statement has make them statements about different things.
A small model weighs these measures; `bench/statements_fit.py` fits it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product

from holdfast.core.frozen import frozen
from holdfast.trust.statements.alignment import Alignment, Segment, SegmentPair, align, content_keys, units_of
from holdfast.trust.statements.oppositions import Opposition, are_limits_of_one_range, is_reversed, oppositions
from holdfast.trust.statements.parsing import Statement
from holdfast.trust.statements.tokens import marks, root
from holdfast.trust.statements.values import Value

_MIN_NAMED = 0.6  # minimum share of a named old value that the old statement contains
_VALUE, _ID, _NAME, _WORD = 4, 3, 2, 1
_MARKS = frozenset(("now", "becomes", "correction"))
_CHANGES = _MARKS | {"denied", "gone", "stay"}
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


def structure(new: Statement, old: Statement) -> Structure | None:
    """The structural differences of two statements; None if nothing says that they cannot both hold."""
    changed = new.change.kinds - old.change.kinds
    if not changed & _CHANGES and content_keys(new.frame).isdisjoint(content_keys(old.frame)):
        return None
    found = oppositions(new.frame, old.frame)
    opposed = [o for o in found if o.kind == "antonym"]
    roots = (
        frozenset[str]().union(*(roots)) for roots in zip(*((o.new_roots, o.old_roots) for o in opposed), strict=True)
    )
    alignment = align(new.frame, old.frame, *roots)
    return _Reading(new, old, alignment, found).structure()


@frozen(slots=False, eq=False)
class _Reading:
    """Two statements with their alignment and oppositions, while their differences are weighed."""

    new: Statement
    old: Statement
    aligned: Alignment
    found: Sequence[Opposition]

    def structure(self) -> Structure | None:
        changed = self.new.change.kinds - self.old.change.kinds
        marked = bool(changed & _MARKS)
        stays = "stay" in changed and "plan" in self.old.change.kinds and ("correction" in changed or self._shares())
        stated = stays or self._names_old_value() or ("gone" in changed and self._is_withdrawn())
        scope = next((o for o in self.found if o.kind == "scope"), None)
        head, tail, role = self._differences(marked, stated)
        head = [] if scope else head
        if stays:
            tail = [pair for pair in tail if _rank(pair) > _WORD][:1]
        pair = tail[0] if tail else None
        reversal = (
            next((o for o in self.found if o.kind in ("antonym", "negation")), None) if self._reversed() else None
        )
        evidence = self._evidence(pair, role)
        shares, single = self._shares(), len(tail) == 1
        said = stated or (marked and single and (evidence == "name" or (shares and evidence == "word")))
        if not said and not (shares and (reversal or scope or evidence in ("value", "choice"))):
            return None
        measures = {
            **self._weights(),
            **self._subjects(head, marked or stated or scope is not None),
            **self._alone(pair),
            evidence or "nothing": 1.0,
            "stated": float(stated),
            "mark": float(marked),
            "mark_word": float(marked and evidence == "word"),
            "reversed": float(reversal is not None),
            "reversed_too": float(reversal is not None and bool(head or tail)),
            "scope": float(scope is not None),
            "contrast": float(any(o.kind == "contrast" for o in self.found)),
            "extra": min(len(tail) - 1, 2) / 2 if len(tail) > 1 else 0.0,
            "mixed": float(pair is not None and self._mixed(pair)),
            "verb": float(not marked and self._verbs_differ()),
            **self._modality(),
        }
        others = [s for s in (*self.aligned.new, *self.aligned.old) if not s.is_speaker]
        measures["exact"] = float(len(tail) + (reversal is not None) <= 1 and not head and not others)
        return Structure(measures, stated, marked, pair, reversal or scope, self._withdrawn())

    def _shares(self) -> bool:
        return any(unit.kind != "speaker" for unit in self.aligned.shared)

    def _names_old_value(self) -> bool:
        """Does the new statement name a value of the old one as outdated (`instead of Tuesdays`)?"""
        denied = [unit for unit in units_of(self.new) if unit.start in self.new.change.denied]
        known = {unit.key for unit in units_of(self.old)}
        named = sum(unit.weight for unit in denied if unit.key in known)
        return bool(denied) and named > _MIN_NAMED * sum(unit.weight for unit in denied)

    def _is_withdrawn(self) -> bool:
        """Does the old statement contain all that the first clause of the new one calls outdated?"""
        first = [segment for segment in self.aligned.new if segment.clause == 0 and not segment.is_speaker]
        other = [p for p in self.aligned.pairs if p.new.clause == 0 and not p.new.is_speaker and not p.old.is_speaker]
        return self._shares() and not first and not other

    def _withdrawn(self) -> str:
        """The words that both share, and those that withdraw them: `coffee ↔ no longer`."""
        shared = " ".join(unit.text for unit in self.aligned.shared if unit.kind != "speaker")
        return f"{shared} ↔ {' '.join(self.new.tokens[n].text for n in sorted(self.new.change.marked))}"

    def _reversed(self) -> bool:
        return is_reversed(self.found) and not any(o.kind == "contrast" for o in self.found)

    def _differences(self, marked: bool, stated: bool) -> tuple[list[SegmentPair], list[SegmentPair], bool]:
        """The differing pairs before the verb and after it, the most telling first, and whether they name a role.

        Who acts is no difference where a change is stated: `We moved the docs` against `The docs are on …`.
        """
        acts = marked or stated
        pairs = [
            pair
            for pair in self.aligned.pairs
            if not (acts and pair.head and (pair.new.is_speaker or pair.old.is_speaker)) and not self._both_hold(pair)
        ]
        head = [pair for pair in pairs if pair.head]
        tail = sorted((pair for pair in pairs if not pair.head), key=_rank, reverse=True)
        alone = not tail and not self.aligned.new and not self.aligned.old and not self._reversed()
        if alone and len(head) == 1 and _rank(head[0]) < _ID and self._is_role(marked):
            return [], head, True
        return head, tail, False

    def _both_hold(self, pair: SegmentPair) -> bool:
        """Are the values limits of one range: `at least 5` and `at most 20`?"""
        values = product(_values(self.new.frame, pair.new), _values(self.old.frame, pair.old))
        return any(are_limits_of_one_range(*both) for both in values)

    def _is_role(self, marked: bool) -> bool:
        text = " ".join(token.word for token in self.new.frame.tokens)
        return bool(_ROLE.search(text) or (marked and _OWN_ROLE.search(text)))

    def _evidence(self, pair: SegmentPair | None, role: bool) -> str:
        """What differs: a `value`, a `choice` of which only one can hold, or a `name` or `word` in any place."""
        if pair is None:
            return ""
        rank = _rank(pair)
        if rank >= _ID:
            return "value"
        if role or self._has_one_value(pair):
            return "choice"
        return "name" if rank == _NAME else "word"

    def _has_one_value(self, pair: SegmentPair) -> bool:
        """Do both segments follow a verb that allows one value: `is green`, `is stored in Redis`, `use Redis for X`?"""
        new, old = pair.new, pair.old
        # A participle is no value: `is racing` and `is winning`, `are stored` and `are encrypted` may both hold.
        if any(segment.units[0].text.endswith(("ing", "ed")) for segment in (new, old)):
            return False
        if _follows_being(self.new.frame, new) and _follows_being(self.old.frame, old):
            return True
        if new.word in marks("using") and new.right and new.right == old.right:
            return True
        words = [{token.root for token in statement.frame.tokens} for statement in (self.new, self.old)]
        states = bool(words[0] & words[1] & {root(word) for word in marks("state")})
        if new.word != old.word or new.word not in marks("towards") | marks("point"):
            return False
        return states or (new.word in marks("passive") and _is_passive(self.new.frame) and _is_passive(self.old.frame))

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
        return {"subject": float(differ), "case": 0.0 if differ else min(new_weight + old_weight, 1.0)}

    def _alone(self, pair: SegmentPair | None) -> dict[str, float]:
        """The weight of what only one statement says beside the difference, in the same clause."""
        places = (pair.new.clause, pair.old.clause) if pair else (0, 0)
        sides = zip((self.aligned.new, self.aligned.old), places, strict=True)
        new, old = (min(sum(s.weight for s in side if not s.head and s.clause == at), 2.0) / 2 for side, at in sides)
        return {"alone_new": new, "alone_old": old, "alone_both": float(new > 0 and old > 0)}

    def _mixed(self, pair: SegmentPair) -> bool:
        """Are the values of different attributes: a weekday and a duration, `10 seconds` and `3 times`?"""
        new, old = pair.new, pair.old
        if new.values and old.values and not new.values & old.values:
            return True
        if bool(new.values) != bool(old.values):
            return True
        if "amount" not in pair.families or "time" in pair.families:
            return False
        words = [any(unit.kind == "word" for unit in segment.units) for segment in (new, old)]
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


def _values(statement: Statement, segment: Segment) -> list[Value]:
    return [value for value in statement.values if any(unit.start == value.start for unit in segment.units)]


def _follows_being(statement: Statement, segment: Segment) -> bool:
    """Does it follow `is` or the like, with an article or a title at most between them?"""
    start = segment.units[0].start
    before = [token.word for token in statement.tokens[max(0, start - 3) : start]]
    while before and before[-1] in marks("article"):
        before.pop()
    return bool(before) and before[-1] in marks("being")


def _is_passive(statement: Statement) -> bool:
    """Does it say that something is stored, sorted, written, and not that it may be?"""
    words = [token.word for token in statement.tokens]
    beings = [n for n, word in enumerate(words[:-1]) if word in marks("being")]
    return not statement.permits and any(words[n + 1].endswith(("ed", "en", "é", "ée", "és", "ées")) for n in beings)


def _verb(statement: Statement) -> str | None:
    """The root of the verb, unless it is an auxiliary or not found."""
    if not 0 <= statement.verb < len(statement.tokens):
        return None
    token = statement.tokens[statement.verb]
    return None if token.word in marks("verb") else token.root
