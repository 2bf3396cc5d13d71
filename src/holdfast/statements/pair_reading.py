"""Judges two statements by reading both: for changes that no single word tells, and words that only look like one.

Reading may raise ModelError.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from holdfast.statements.oppositions import Opposition, oppositions
from holdfast.statements.pair_measures import EVENTS
from holdfast.statements.parsing import Statement, read
from holdfast.statements.structure import CHANGES
from holdfast.statements.verdict import APART, MAX_TOKENS, Verdict, are_numbered_apart
from holdfast.text.similarity import content_words

_MIN_NEARNESS = 0.3  # minimum cosine of statements that are read
_SHORT = 14  # maximum number of tokens of a short statement
# Log-odds by the reader, at most 3.4, that the two cannot both hold, from which the older statement is retired. If
# words say so too, their log-odds count half, and less is enough for both together (decision 0057).
_UPDATE = 3.15
_BOTH, _WORDS, _MOST_CERTAIN = 2.5, 0.5, 0.99
# From these on a contradiction is reported: by itself, and if words say so too.
_CLASH, _DOUBT = 2.5, -1.5
# When words decide: log-odds of the second reader that somebody stays with something and that words tell of a change,
# the minimum certainty of the words, and the minimum cosines then and of values that changed in a person's life.
_STAYS, _TOLD = -0.6, 1.0
_CERTAIN, _NEAR_TOLD, _NEAR_VALUES = 0.9, 0.7, 0.77
# From these on both readers are so sure of a change that it is applied although words speak of a doubt or an opinion,
# as in `the vet says he is on dry food now`, or although it may be a contradiction (decision 0078).
_SURE_DESPITE_DOUBT, _SURE = 0.3, 2.0


def may_be_read(new: Statement, old: Statement) -> bool:
    """Is it worth reading both? That takes some milliseconds, and most pairs have little to do with each other."""
    from holdfast.models.reader import nearness

    if (new.unsure and not old.unsure) or max(len(new.tokens), len(old.tokens)) > MAX_TOKENS:
        return False
    if are_numbered_apart(new, old):
        return False
    return nearness(new.text, old.text) >= _MIN_NEARNESS


def by_reading(new: Statement, old: Statement, by_words: Verdict) -> Verdict:
    """The verdict of the reader and the words; raises ModelError."""
    from holdfast.models.reader import read_relation

    return judge(new, old, by_words, read_relation(new.text, old.text))


def is_sure_change(new: Statement, old: Statement) -> bool:
    """Is a statement of a conversation surely a change, although words speak of a doubt? Raises ModelError.

    `My wife says the key is with Anna now` tells a fact, as the readers know. A question tells none.
    """
    if not new.unsure or old.unsure or "?" in new.text or max(len(new.tokens), len(old.tokens)) > MAX_TOKENS:
        return False
    return overheard_odds(new, old, _SURE_DESPITE_DOUBT) >= _SURE_DESPITE_DOUBT


def as_overheard(new: Statement, old: Statement, by_words: Verdict, verdict: Verdict) -> Verdict:
    """The verdict about statements of conversations: far fewer of them change each other than of those people teach.

    Words and reader must agree, or everything together must be likely enough. Raises ModelError.
    """
    from holdfast.models.overheard import LEAST_CHANGE
    from holdfast.models.reader import read_change

    if verdict.kind not in ("update", "clash"):
        return verdict
    if by_words.kind == verdict.kind == "update" and (
        read_change(new.text, old.text) >= _CLASH or _is_for_words(new, old, by_words)
    ):
        return verdict
    # Of contradictions that are less likely, one in thirty was one (decision 0080).
    odds = overheard_odds(new, old, LEAST_CHANGE)
    if odds < LEAST_CHANGE:
        return APART
    told = tells_change(new.text, old.text) and read_change(new.text, old.text) >= _UPDATE and not new.adds
    return replace(verdict, kind="update") if told or odds >= _SURE else verdict


def are_apart(new: Statement, old: Statement, by_words: Verdict) -> bool:
    """Do both statements of a conversation surely hold, so that they need not be read? Raises ModelError."""
    from holdfast.models.overheard import LEAST_CHANGE

    return by_words.kind != "update" and overheard_odds(new, old, LEAST_CHANGE) < LEAST_CHANGE


def overheard_odds(new: Statement, old: Statement, least: float = -math.inf) -> float:
    """The log-odds that a statement of a conversation changes an older one; raises ModelError.

    Those below `least` may be given as -inf, which takes less time.
    """
    from holdfast.models.overheard import overheard_change

    return overheard_change(new.text, old.text, tells_change(new.text, old.text), least)


def tells_change(new: str, old: str) -> bool:
    """Does the newer statement say that something changed, and share a word of content with the older one?"""
    return bool(read(new).change.kinds & EVENTS) and not content_words(new).isdisjoint(content_words(old))


def judge(new: Statement, old: Statement, by_words: Verdict, scores: Sequence[float]) -> Verdict:
    """The verdict, given the reader's scores of RELATIONS; it needs less to agree with the words."""
    from holdfast.models.reader import conflict_odds

    odds = conflict_odds(scores)
    likely = round(1 / (1 + math.exp(-odds)), 3)
    if by_words.kind == "update" and _agrees(new, old, by_words, odds):
        return replace(by_words, score=max(likely, by_words.score))
    if odds >= _CLASH and _says_more(new, old) and not _are_events(new, old) and not _reverse_twice(new, old):
        _, update, contradiction, _ = scores
        replaces = odds >= _UPDATE and not new.adds and update > contradiction
        return _conflict(new, old, by_words, likely, replaces)
    unclear = by_words.kind in ("update", "clash") and odds >= _DOUBT
    return replace(by_words, kind="clash", stated=False) if unclear else APART


def _agrees(new: Statement, old: Statement, by_words: Verdict, odds: float) -> bool:
    """Is a change that words tell about the older statement?"""
    if _is_for_words(new, old, by_words):
        return True
    score = min(max(by_words.score, 1 - _MOST_CERTAIN), _MOST_CERTAIN)
    return odds + _WORDS * math.log(score / (1 - score)) >= _BOTH


def _is_for_words(new: Statement, old: Statement, by_words: Verdict) -> bool:
    """Do words know better than the reader whether something changed?

    So it is for values in somebody's life. That somebody stays with something names no older statement, which the
    reader would need; there, and where words are certain, the second reader must agree.
    """
    from holdfast.models.overheard import second_opinion
    from holdfast.models.reader import nearness

    if tells_own_value(new, old, by_words):
        return True
    second = second_opinion(new.text, old.text)
    if "stay" in new.change.kinds and second >= _STAYS:
        return True
    return by_words.score >= _CERTAIN and nearness(new.text, old.text) >= _NEAR_TOLD and second >= _TOLD


def tells_own_value(new: Statement, old: Statement, by_words: Verdict) -> bool:
    """Do words tell that a value changed in somebody's life, in long sentences with much else?

    "I'm now on page 220, and it's getting better." A sentence with another date tells of another event.
    """
    from holdfast.models.reader import nearness

    is_own = by_words.kind == "update" and by_words.by == "value" and (new.personal or old.personal)
    if not is_own or _are_short(new, old) or "date" in _differing_values(new, old):
        return False
    return nearness(new.text, old.text) >= _NEAR_VALUES


def _says_more(new: Statement, old: Statement) -> bool:
    """Has the newer statement any word of content that the older has not? "We are in Paris now" has none."""
    return not content_words(new.text) <= content_words(old.text)


def _are_events(new: Statement, old: Statement) -> bool:
    """Does a date differ together with another value: "I caught 7 on 7/10", "I caught 9 on 7/22"? Then both hold."""
    kinds = _differing_values(new, old)
    return "date" in kinds and len(kinds) > 1


def _differing_values(new: Statement, old: Statement) -> list[str]:
    return [opposition.values[0].kind for opposition in oppositions(new.frame, old.frame) if opposition.values]


def _reverse_twice(new: Statement, old: Statement) -> bool:
    """Does a negation differ together with an opposite: "acknowledges after", "must not acknowledge before"?"""
    return {"antonym", "negation"} <= {opposition.kind for opposition in oppositions(new.frame, old.frame)}


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
