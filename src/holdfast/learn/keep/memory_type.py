"""Infers the memory type of a text that somebody stores without naming one."""

from __future__ import annotations

from holdfast.core.clock import LONG_AGO
from holdfast.core.conversation import Message
from holdfast.importers.classify import type_by_words
from holdfast.learn.keep import cues
from holdfast.learn.keep.keep_features import features, views
from holdfast.learn.keep.keep_model import MEMORY_TYPES, bundled
from holdfast.learn.keep.one_off_orders import is_rule
from holdfast.learn.keep.personal_facts import personal_fact
from holdfast.learn.keep.turns import split_into_turns

FACT = "fact"
# Types that the label gives only to a sentence with words that bind every time.
_BINDING = ("requirement", "decision")


def infer_type(text: str) -> str:
    """The memory type of a text by its first sentence, which says what the others explain.

    Telling words decide, as in imported files; then what a person says of themselves and the label of learning, as in
    conversations. A rule is given at the start of every session, so it also needs words that bind every time: the label
    alone, fitted on what people say to agents, takes many statements of how things are for rules or decisions.
    """
    found = views(split_into_turns([Message("1", "user", text, LONG_AGO)]))
    if not found:
        return type_by_words(text) or FACT
    sentence = found[0].sentence.text
    if by_words := type_by_words(sentence):
        return by_words
    if (personal := personal_fact(sentence)) is not None:
        return personal.type
    label = MEMORY_TYPES[bundled().label(features(found)[0])]
    return FACT if label in _BINDING and not _binds(sentence) else label


def _binds(sentence: str) -> bool:
    return is_rule(sentence) or cues.LASTING_ORDER.match(cues.plain(sentence)) is not None
