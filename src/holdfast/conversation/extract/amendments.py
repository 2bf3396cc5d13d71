"""What a later ruling takes the place of, and what it leaves standing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.sentences import sentences, telling
from holdfast.conversation.extract.turns import Turn
from holdfast.core.conversation import Learned, Message

STANDS = "stands"
_INSTEAD, _BESIDE = "instead of ", " / "
# A new answer to these takes the place of the old one; likes and things owned add up instead.
_SINGLE = ("name", "lives in", "comes from", "works", "age", "their", "usually", "now", "does", "has done", "favourite")
# A phrase names a ruling when it has this share of the phrase's telling words.
_NAMED = 0.6
_ALIKE = 0.5
# Two sentences are about the same thing when they share so much of the shorter one.
_SHARED = 0.3
_PHRASE = r"(?P<old>[^.;:,()]{3,70}?)"
_UP_TO = r"(?=[.;:,()]|$)"
# How people name what no longer holds.
_NAMES = tuple(
    map(
        re.compile,
        (
            rf"(?:supersed|replac|overrid|scrapp|revers|undo)\w* (?:the |our |that |this )?{_PHRASE}{_UP_TO}",
            rf"\b(?:the|our|that) (?:old|previous|earlier|former|original|current|existing) {_PHRASE}{_UP_TO}",
            rf"\b(?:instead of|rather than|no longer|au lieu de|plutôt que) {_PHRASE}{_UP_TO}",
            rf"\b(?:not|ne) {_PHRASE} (?:any ?more|plus)\b",
            r"(?P<old>[\w' -]{3,60}?) (?:is |are |goes |go )?(?:out|gone)(?:,| and) [\w' -]{3,60}? in\b",
            rf"\bour {_PHRASE} (?:now|is wrong|was wrong)\b",
            rf"\bthe {_PHRASE} (?:is|was) (?:the (?:flaw|bug|problem|mistake)|wrong)\b",
            rf"\bfrom {_PHRASE} to\b",
        ),
    )
)
# A value that is told not to hold any more, in few words, at the end of what holds now.
_DENIED = re.compile(
    r"(?:,|;| and| but)? (?:not|no longer|never|instead of|rather than|au lieu de|plutôt que|et non) (?:the |a |an )?"
    r"(?P<old>[^\s,;:()]+(?: [^\s,;:()]+){0,3}?)(?=[,;:)]|\.?$|\. | any ?more| as before)"
)
# Words that say only that it was a ruling.
_EMPTY_NAMES = frozenset(
    "old rul rule policy decision decid original previous current exist thing way used amend settl code".split()
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:]\d+)*")
_MEASURE = re.compile(r"(?<![\w.])(\d+(?:[.,:]\d+)*)[ -]?([a-z%€$]{1,20})?")
# Why not after a comma: `two, not one` explains, it does not deny.
_NEGATIVE = re.compile(
    r"(?<!, )(?<!- )(?<!and )(?<![\w-])(?:no|not|never|none|nothing|without|don't|doesn't|isn't|aren't|can't|cannot"
    r"|won't|ne|pas|jamais|sans|aucune?)(?!\w)"
)


def amends_earlier(talk: Sequence[Turn]) -> bool:
    """Is this conversation, or part of it, about changing what was decided before?"""
    said = (cues.plain(one.text) for turn in talk for one in turn.said if not one.asks)
    return any(cues.CHANGES.search(one) and cues.EARLIER.search(one) for one in said)


def named_changes(messages: Iterable[Message]) -> str:
    """What no longer holds, in the words by which a conversation names it, as the slot of what takes its place."""
    found: dict[str, None] = {}
    for message in messages:
        for sentence in sentences(message.text):
            said = cues.plain(sentence.text)
            for pattern in _NAMES:
                for match in pattern.finditer(said):
                    if len(_name(match["old"])) > 1:
                        found.setdefault(" ".join(match["old"].split()))
    return _INSTEAD + _BESIDE.join(found) if found else ""


def amended(new: Learned, old: Sequence[Learned], beside: Sequence[Learned] = ()) -> tuple[int, ...]:
    """Which of the older rulings the new one takes the place of, by their numbers.

    `beside` is what else was learned from the same conversation: what it says stays, stays. A ruling is replaced only
    on a sign of it: it is named, it has another value for the same measure, or it says the opposite.
    """
    if STANDS in new.tags:
        return ()
    kept = [words for one in (new, *beside) for words in _left_standing(one)]
    return tuple(
        number
        for number, other in enumerate(old)
        if other.text != new.text and not _protected(other, kept) and _replaces(new, other)
    )


def _replaces(new: Learned, old: Learned) -> bool:
    if new.subject == old.subject == "user":
        return _tells_anew(new, old)
    # Why not with the same slot: these are parts of one amendment, said in one breath.
    if not new.amends or "user" in (new.subject, old.subject) or (new.slot and new.slot == old.slot):
        return False
    return _is_denied(new, old) or _is_named(new, old) or _has_other_value(new, old) or _says_opposite(new, old)


def _tells_anew(new: Learned, old: Learned) -> bool:
    """Of what has one answer at a time, another figure is a change by itself; else it must be said to be one."""
    single = new.slot.startswith(_SINGLE) and old.slot.startswith(_SINGLE)
    if single and new.slot == old.slot:
        return True
    return (single or new.amends) and (_has_other_value(new, old) or (new.amends and _says_opposite(new, old)))


def _is_denied(new: Learned, old: Learned) -> bool:
    """Of `tag with release-1 instead, not v1`, does the old ruling, on the same matter, say `v1`?"""
    said, known = cues.plain(new.quote or new.text), cues.plain(old.quote or old.text)
    for match in _DENIED.finditer(said):
        value = match["old"].strip(" .")
        matter = (_stems(said[: match.start()]) & _stems(known)) - _stems(value)
        if len(matter) > 1 and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", known):
            return True
    return False


def _is_named(new: Learned, old: Learned) -> bool:
    """Does the conversation call the old ruling by name, and is this the sentence that speaks of the same thing?"""
    words = _stems(old.text)
    if not new.slot.startswith(_INSTEAD) or not words & _stems(new.text):
        return False
    for phrase in new.slot.removeprefix(_INSTEAD).split(_BESIDE):
        name = _name(phrase)
        if len(name) > 1 and len(name & words) >= _NAMED * len(name):
            return True
    return False


def _has_other_value(new: Learned, old: Learned) -> bool:
    """The same measure of the same thing, with another figure; the new text may name the old figure too."""
    one, two = new.quote or new.text, old.quote or old.text
    ours, theirs = _measures(one), _measures(two)
    said = [_stems(text) - set(_NUMBER.findall(text)) - ours.keys() - theirs.keys() for text in (one, two)]
    shared, least = said[0] & said[1], min(map(len, said))
    if len(shared) < 2 or len(shared) < _SHARED * least:
        return False
    for unit, values in theirs.items():
        mine = ours.get(unit, set())
        told_anew = len(values) == 1 and values < mine | ours.get("", set())
        if unit and mine and (not mine & values or told_anew):
            return True
    return False


def _says_opposite(new: Learned, old: Learned) -> bool:
    one, two = new.quote or new.text, old.quote or old.text
    ours, theirs = _stems(one), _stems(two)
    alike = len(ours & theirs) / max(1, min(len(ours), len(theirs)))
    negated = [len(_NEGATIVE.findall(cues.plain(text))) % 2 for text in (one, two)]
    return len(ours & theirs) > 1 and alike >= _ALIKE and negated[0] != negated[1]


def _left_standing(learned: Learned) -> Iterator[frozenset[str]]:
    """Of `nothing else moves: X stays, so does Y`, the words of X and of Y."""
    if STANDS not in learned.tags:
        return
    said = cues.plain(learned.quote)
    after = said.partition(":")[2] or said
    for clause in re.split(r"[,;]| and | et ", after):
        words = frozenset(telling(clause)) - {"stay", "remain", "unchang", "stand", "mov", "rest", "else", "chang"}
        if words:
            yield words


def _protected(old: Learned, kept: Sequence[frozenset[str]]) -> bool:
    words = set(telling(old.quote or old.text))
    return any(len(clause & words) >= max(2, 0.6 * len(clause)) for clause in kept)


def _name(phrase: str) -> set[str]:
    return set(telling(phrase.replace("-", " "))) - _EMPTY_NAMES


def _stems(text: str) -> set[str]:
    return set(telling(text.replace("-", " ")))


def _measures(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for value, unit in _MEASURE.findall(cues.plain(text)):
        found.setdefault(unit.rstrip("s") if len(unit) > 1 else unit, set()).add(value)
    return found
