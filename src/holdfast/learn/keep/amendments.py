"""Decides which earlier rulings a later one replaces and which it leaves unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from holdfast.core.conversation import Learned, Message
from holdfast.learn.keep import cues
from holdfast.learn.keep.sentences import content_words, sentences
from holdfast.learn.keep.turns import TalkTurn

UNCHANGED_TAG = "stands"
_INSTEAD, _SEPARATOR = "instead of ", " / "
# A phrase names a ruling that contains at least this fraction of the phrase's content words.
_MIN_NAMED = 0.6
_PHRASE = r"(?P<old>[^.;:,()]{3,70}?)"
# What people call a ruling. The previous commit is none.
_RULING = r"(?:rule|polic(?:y|ie)|decision|agreement|convention|standard|plan|limit|règle|décision)s?\b"
_UP_TO = r"(?=[.;:,()]|$)"
# Phrases by which people name a ruling that no longer holds.
_REPLACED_PHRASES = tuple(
    map(
        re.compile,
        (
            rf"(?:supersed|replac|overrid|scrapp|revers|undo)\w* (?:the |our |that |this )?{_PHRASE}{_UP_TO}",
            rf"\b(?:the|our|that) old {_PHRASE}{_UP_TO}",
            rf"\b(?:the|our|that) (?:previous|earlier|former|original) (?=(?:\w+ ){{0,5}}{_RULING}){_PHRASE}{_UP_TO}",
            rf"\b(?:instead of|rather than|no longer|au lieu de|plutôt que) {_PHRASE}{_UP_TO}",
            rf"\b(?:not|ne) {_PHRASE} (?:any ?more|plus)\b",
            r"(?P<old>[\w' -]{3,60}?) (?:is |are |goes |go )?(?:out|gone)(?:,| and) [\w' -]{3,60}? in\b",
            rf"\bour {_PHRASE} (?:now|is wrong|was wrong)\b",
            rf"\bthe {_PHRASE} (?:is|was) (?:the (?:flaw|bug|problem|mistake)|wrong)\b",
        ),
    )
)
# A short value that no longer holds, after the new one: `tag with release-1, not v1`.
_DENIED = re.compile(
    r"(?:,|;| and| but)? (?:not|no longer|never|instead of|rather than|au lieu de|plutôt que|et non) (?:the |a |an )?"
    r"(?P<old>[^\s,;:()]+(?: [^\s,;:()]+){0,3}?)(?=[,;:)]|\.?$|\. | any ?more| as before)"
)
# Words that any ruling may contain, so they identify none.
_GENERIC_WORDS = frozenset(
    "old rul rule policy decision decid original previous current exist thing way used amend settl code".split()
)
_UNCHANGED_WORDS = frozenset(("stay", "remain", "unchang", "stand", "mov", "rest", "else", "chang"))


def amends_earlier(turns: Sequence[TalkTurn]) -> bool:
    """Does any sentence of the conversation change an earlier decision?"""
    texts = (cues.plain(s.text) for turn in turns for s in turn.sentences if not s.asks)
    return any(cues.CHANGES.search(text) and cues.EARLIER.search(text) for text in texts)


def named_changes(messages: Iterable[Message]) -> str:
    """The phrases by which a conversation names replaced rulings, joined into the slot of their replacement."""
    phrases: dict[str, None] = {}
    for message in messages:
        for sentence in sentences(message.text):
            text = cues.plain(sentence.text)
            for pattern in _REPLACED_PHRASES:
                for match in pattern.finditer(text):
                    if len(_name(match["old"])) > 1:
                        phrases.setdefault(" ".join(match["old"].split()))
    return _INSTEAD + _SEPARATOR.join(phrases) if phrases else ""


def amended(new: Learned, old: Sequence[Learned], beside: Sequence[Learned] = ()) -> tuple[int, ...]:
    """The positions of the older rulings that the new one replaces.

    `beside` holds the other results of the same conversation: a ruling they call unchanged is not replaced. A ruling is
    replaced only when it is named or its value is denied; `holdfast.statements` compares other values.
    """
    if UNCHANGED_TAG in new.tags:
        return ()
    kept = [words for learned in (new, *beside) for words in _unchanged_clauses(learned)]
    return tuple(
        number
        for number, other in enumerate(old)
        if other.text != new.text and not _protected(other, kept) and _replaces(new, other)
    )


def _replaces(new: Learned, old: Learned) -> bool:
    # Rulings with the same slot are parts of one amendment.
    if not new.amends or "user" in (new.subject, old.subject) or (new.slot and new.slot == old.slot):
        return False
    return _is_denied(new, old) or _is_named(new, old)


def _is_denied(new: Learned, old: Learned) -> bool:
    """Does the new ruling deny a value of the old one, as `tag with release-1 instead, not v1` denies `v1`?"""
    new_text, old_text = cues.plain(new.quote or new.text), cues.plain(old.quote or old.text)
    for match in _DENIED.finditer(new_text):
        value = match["old"].strip(" .")
        shared = (_stems(new_text[: match.start()]) & _stems(old_text)) - _stems(value)
        if len(shared) > 1 and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", old_text):
            return True
    return False


def _is_named(new: Learned, old: Learned) -> bool:
    """Does the conversation name the old ruling, and does the new one share a word with it?"""
    words = _stems(old.text)
    if not new.slot.startswith(_INSTEAD) or not words & _stems(new.text):
        return False
    names = map(_name, new.slot.removeprefix(_INSTEAD).split(_SEPARATOR))
    return any(len(name) > 1 and len(name & words) >= _MIN_NAMED * len(name) for name in names)


def _unchanged_clauses(learned: Learned) -> Iterator[frozenset[str]]:
    """The words of each clause that stays unchanged: of X and of Y in `nothing else moves: X stays, so does Y`."""
    if UNCHANGED_TAG not in learned.tags:
        return
    text = cues.plain(learned.quote)
    after = text.partition(":")[2] or text
    for clause in re.split(r"[,;]| and | et ", after):
        if words := frozenset(content_words(clause)) - _UNCHANGED_WORDS:
            yield words


def _protected(old: Learned, kept: Sequence[frozenset[str]]) -> bool:
    words = set(content_words(old.quote or old.text))
    return any(len(clause & words) >= max(2, 0.6 * len(clause)) for clause in kept)


def _name(phrase: str) -> set[str]:
    return set(content_words(phrase.replace("-", " "))) - _GENERIC_WORDS


def _stems(text: str) -> set[str]:
    return set(content_words(text.replace("-", " ")))
