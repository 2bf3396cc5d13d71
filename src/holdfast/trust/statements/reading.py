"""Judges two statements by reading both: for changes that no single word tells, and words that only look like one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from holdfast.core.errors import ModelError
from holdfast.text.similarity import content_words
from holdfast.trust.statements.oppositions import Opposition, oppositions
from holdfast.trust.statements.parsing import Statement
from holdfast.trust.statements.structure import CHANGES
from holdfast.trust.statements.verdict import APART, MAX_TOKENS, Verdict

_MIN_NEARNESS = 0.3  # minimum cosine of statements that are read
_SHORT = 14  # maximum number of tokens of a short statement
# Log-odds by the reader that the two cannot both hold, from which the older statement is retired: of short and of long
# statements. If words say so too, their log-odds count half, and less is enough for both together (decision 0054).
_SHORT_UPDATE, _LONG_UPDATE = 2.0, 2.4
_BOTH, _WORDS, _MOST_CERTAIN = 0.8, 0.5, 0.99
# From these on a contradiction is reported: by itself, and if words say so too.
_CLASH, _DOUBT = 2.0, -0.5


def may_be_read(new: Statement, old: Statement) -> bool:
    """Is it worth reading both? That takes some milliseconds, and most pairs have little to do with each other."""
    from holdfast.models.reader import nearness

    if (new.unsure and not old.unsure) or max(len(new.tokens), len(old.tokens)) > MAX_TOKENS:
        return False
    try:
        return nearness(new.text, old.text) >= _MIN_NEARNESS
    except ModelError:  # `by_reading` says why
        return False


def by_reading(new: Statement, old: Statement, by_words: Verdict) -> Verdict:
    """The verdict of the reader and the words."""
    from holdfast.models.reader import read_relation

    try:
        scores = read_relation(new.text, old.text)
    except ModelError:  # `holdfast doctor` reports missing and damaged files; words decide meanwhile
        return by_words
    return judge(new, old, by_words, scores)


def judge(new: Statement, old: Statement, by_words: Verdict, scores: Sequence[float]) -> Verdict:
    """The verdict, given the reader's scores of RELATIONS; it needs less to agree with the words.

    Words decide alone if hardly any word differs.
    """
    from holdfast.models.reader import conflict_odds

    if by_words.kind in ("update", "clash") and _differ_in_one_word(new, old):
        return by_words
    odds = conflict_odds(scores)
    likely = round(1 / (1 + math.exp(-odds)), 3)
    if by_words.kind == "update" and _agrees(new, old, by_words, odds):
        return replace(by_words, score=max(likely, by_words.score))
    if odds >= _CLASH and _says_more(new, old) and not _are_events(new, old):
        _, update, contradiction, _ = scores
        return _conflict(new, old, by_words, likely, replaces=_replaces(new, old, odds) and update > contradiction)
    unclear = by_words.kind in ("update", "clash") and odds >= _DOUBT
    return replace(by_words, kind="clash", stated=False) if unclear else APART


def _agrees(new: Statement, old: Statement, by_words: Verdict, odds: float) -> bool:
    """Is a change that words tell about the older statement?

    That somebody stays with something names no older statement, which the reader would need. And how values change in
    what people tell about themselves, in long sentences with much else, words know better: "I'm now on page 220".
    """
    is_told = by_words.by == "value" and (new.personal or old.personal) and not _are_short(new, old)
    if is_told or "stay" in new.change.kinds:
        return True
    score = min(max(by_words.score, 1 - _MOST_CERTAIN), _MOST_CERTAIN)
    return odds + _WORDS * math.log(score / (1 - score)) >= _BOTH


def _differ_in_one_word(new: Statement, old: Statement) -> bool:
    """Has each at most one word of content that the other has not: "Petra owns billing", "Karl owns billing"?"""
    one, other = content_words(new.text), content_words(old.text)
    return max(len(one - other), len(other - one)) <= 1


def _says_more(new: Statement, old: Statement) -> bool:
    """Has the newer statement any word of content that the older has not? "We are in Paris now" has none."""
    return not content_words(new.text) <= content_words(old.text)


def _are_events(new: Statement, old: Statement) -> bool:
    """Does a date differ together with another value: "I caught 7 on 7/10", "I caught 9 on 7/22"? Then both hold."""
    kinds = [opposition.values[0].kind for opposition in oppositions(new.frame, old.frame) if opposition.values]
    return "date" in kinds and len(kinds) > 1


def _replaces(new: Statement, old: Statement, odds: float) -> bool:
    """Is it likely enough that the newer statement takes the place of the older, rather than adding to it?"""
    return odds >= (_SHORT_UPDATE if _are_short(new, old) else _LONG_UPDATE) and not new.adds


def _conflict(new: Statement, old: Statement, by_words: Verdict, likely: float, replaces: bool) -> Verdict:
    """An update if the newer statement replaces the older, else a contradiction; with what differs."""
    reversal = next((o for o in oppositions(new.frame, old.frame) if o.kind in ("antonym", "negation")), None)
    marked = bool(new.change.kinds & CHANGES)
    quoted, by = (by_words.difference, by_words.by) if by_words.difference else _read_difference(new, old, reversal)
    return Verdict("update" if replaces else "clash", quoted, likely, by, marked and replaces)


def _read_difference(new: Statement, old: Statement, reversal: Opposition | None) -> tuple[str, str]:
    """What differs in statements that were read: a reversal or a value if there is one, else their meaning."""
    if reversal is not None:
        return reversal.quoted, reversal.kind
    values = [opposition.quoted for opposition in oppositions(new.frame, old.frame) if opposition.values]
    return (values[0], "value") if values else (f"{old.text} → {new.text}", "meaning")


def _are_short(new: Statement, old: Statement) -> bool:
    return max(len(new.tokens), len(old.tokens)) <= _SHORT
