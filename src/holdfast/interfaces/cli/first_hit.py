"""Says in one sentence why the first hit is first: which paths found it, and which words matched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.interfaces.cli.matched_words import matched_words
from holdfast.interfaces.cli.terminal import clean
from holdfast.interfaces.language import translatable, translate
from holdfast.interfaces.messages.recall_messages import CERTAINTIES
from holdfast.recall.paths import PATH_LABELS

if TYPE_CHECKING:
    from holdfast.core.answer import Hit, Recall, Trace

# What each path says about a hit; the first text is for rank 1 on the path.
_SHARES_WORDS = translatable("it shares words with the query")
_REASONS: Mapping[str, tuple[str, str]] = {
    "words": (_SHARES_WORDS, _SHARES_WORDS),
    "meaning": (
        translatable("its meaning is the closest to the query"),
        translatable("its meaning is close to the query"),
    ),
    "taught": (
        translatable("its meaning is the closest of all taught memories"),
        translatable("it was taught, and its meaning is close to the query"),
    ),
} | {
    path: (reason, reason)
    for path, reason in {
        "time": translatable("it is from the time that the query names"),
        "title": translatable("its title or file name has words of the query"),
        "entity": translatable("it mentions a name of the query"),
        "graph": translatable("it is about a file next to one that the query names"),
        "co_access": translatable("it was often found together with other hits"),
        "causal": translatable("it is about a file used together with one that the query names"),
        "substring": translatable("it contains the query literally"),
        "hyde": translatable("its meaning is close to a hypothetical answer"),
        "conversation": translatable("it is next to a message that matches the query"),
    }.items()
}
_ORDER = {path: place for place, path in enumerate(PATH_LABELS)}
_MOST_WORDS = 5


def why_first(answer: Recall) -> str:
    """Returns the sentence; empty without hits."""
    if not answer.hits:
        return ""
    hit = answer.hits[0]
    paths = sorted(hit.why.paths, key=lambda path: _ORDER.get(path, len(_ORDER)))
    reasons = [_reason(path, hit, answer.trace) for path in paths]
    both = translate("{first}, and {second}", first=", ".join(reasons[:-1]), second=reasons[-1])
    because = both if len(reasons) > 1 else reasons[0]
    if hit.certainty is None:
        return translate("Hit 1 is first: {reasons}.", reasons=because)
    level = translate(CERTAINTIES[hit.certainty])
    return translate("Hit 1 is first ({certainty}): {reasons}.", certainty=level, reasons=because)


def _reason(path: str, hit: Hit, trace: Trace) -> str:
    matched = matched_words(hit, trace)[:_MOST_WORDS] if path == "words" else []
    if matched:
        return translate("it contains {words}", words=_listed(matched))
    if path not in _REASONS:  # The path of an extension.
        return translate("it was found by the path {path}", path=clean(path))
    best, other = _REASONS[path]
    return translate(best if hit.why.paths[path] == 1 else other)


def _listed(matched: Sequence[str]) -> str:
    quoted = [translate("“{word}”", word=word) for word in matched]
    if len(quoted) == 1:
        return quoted[0]
    return translate("{first} and {last}", first=", ".join(quoted[:-1]), last=quoted[-1])
