"""Judges two statements by reading both: for changes that no single word tells, and words that only look like one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from holdfast.core.errors import ModelError
from holdfast.text.similarity import content_words
from holdfast.trust.statements.oppositions import Opposition, oppositions
from holdfast.trust.statements.pair_measures import pair_measures
from holdfast.trust.statements.pair_model import READ, bundled_pair_model, reader_measures
from holdfast.trust.statements.parsing import Statement
from holdfast.trust.statements.structure import CHANGES, structure
from holdfast.trust.statements.verdict import APART, MAX_TOKENS, Verdict, sentences, structural_likelihood

_SHORT = 14  # maximum number of tokens of a short statement
_MIN_STATED = -1.8  # minimum log-odds by the reader that a change which words tell is about the older statement
_LEAST = 0.01  # of a probability; nothing is more certain
_MIN_NEARNESS = 0.3  # minimum cosine of statements that are read


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
    """The verdict of the model that weighs words and what the reader says; it needs less to agree with the words."""
    from holdfast.models.reader import nearness, read_relation

    try:
        found = reader_measures(read_relation(new.text, old.text), nearness(new.text, old.text))
    except ModelError:  # `holdfast doctor` reports missing and damaged files; words decide meanwhile
        return by_words
    for_words = _is_for_words(new, old, by_words)
    if _tells_other_change(new, by_words, found) and not for_words:
        by_words = APART
    likely, least = _likely(new, old, found), bundled_pair_model(READ).least
    alone = mean_of(likely, found["reader: conflict"]) if _says_more(new, old) else 0.0
    if by_words.kind == "update" and (for_words or likely >= least[agreement(new, old, by_words)]):
        return replace(by_words, score=max(likely, by_words.score))
    if likely >= least["clash"] or alone >= least["update"]:
        return _conflict(new, old, by_words, max(likely, alone), alone)
    unclear = by_words.kind in ("update", "clash") and likely >= least["doubt"]
    return replace(by_words, kind="clash", stated=False) if unclear else APART


def _likely(new: Statement, old: Statement, found: Mapping[str, float]) -> float:
    """The probability, by words and reader, that the two cannot both hold."""
    difference = structure(new, old)
    measures = pair_measures(new, old, difference, structural_likelihood(difference))
    return round(bundled_pair_model(READ).likely({**measures, **found}), 3)


def _says_more(new: Statement, old: Statement) -> bool:
    """Has the newer statement any word of content that the older has not? "We are in Paris now" has none."""
    return not content_words(new.text) <= content_words(old.text)


def mean_of(likely: float, odds: float) -> float:
    """The mean, in log-odds, of words and reader together and of the reader alone, which carries over better.

    Where the words do not say that something changed, this decides whether the older statement is retired.
    """
    likely = min(max(likely, _LEAST), 1 - _LEAST)
    return round(1 / (1 + math.exp(-(math.log(likely / (1 - likely)) + odds) / 2)), 3)


def _conflict(new: Statement, old: Statement, by_words: Verdict, likely: float, alone: float) -> Verdict:
    """An update if it is likely enough and the newer statement can replace the older; else a contradiction."""
    reversal = next((o for o in oppositions(new.frame, old.frame) if o.kind in ("antonym", "negation")), None)
    marked = bool(new.change.kinds & CHANGES)
    enough = bundled_pair_model(READ).least["update" if are_short(new, old) else "long"]
    replaces = alone >= enough and not new.adds and (marked or reversal is None)
    quoted, by = (by_words.difference, by_words.by) if by_words.difference else _read_difference(new, old, reversal)
    return Verdict("update" if replaces else "clash", quoted, likely, by, marked and replaces)


def _read_difference(new: Statement, old: Statement, reversal: Opposition | None) -> tuple[str, str]:
    """What differs in statements that were read: a reversal or a value if there is one, else their meaning."""
    if reversal is not None:
        return reversal.quoted, reversal.kind
    values = [opposition.quoted for opposition in oppositions(new.frame, old.frame) if opposition.values]
    return (values[0], "value") if values else (f"{old.text} → {new.text}", "meaning")


def agreement(new: Statement, old: Statement, by_words: Verdict) -> str:
    """The threshold for agreeing with the words, which are wrong about long statements more often."""
    if not are_short(new, old):
        return "agreed"
    return "stated" if by_words.stated else "short"


def are_short(new: Statement, old: Statement) -> bool:
    return max(len(new.tokens), len(old.tokens)) <= _SHORT


def _tells_other_change(new: Statement, by_words: Verdict, found: Mapping[str, float]) -> bool:
    """Does it tell a change, but of something else, as in "Priya moved to Berlin" after "Priya wants the export"?

    That somebody stays with something names no older statement, which the reader would need.
    """
    return by_words.stated and found["reader: conflict"] < _MIN_STATED and "stay" not in new.change.kinds


def _is_for_words(new: Statement, old: Statement, by_words: Verdict) -> bool:
    """Do words know better that this is an update?

    Of texts of several sentences they compare each sentence with each. And how values change in what people tell about
    themselves, in long sentences with much else ("I'm now on page 220"), was fitted on real chats.
    """
    if len(sentences(new.text)) > 1 or len(sentences(old.text)) > 1:
        return True
    return by_words.by == "value" and (new.personal or old.personal)
