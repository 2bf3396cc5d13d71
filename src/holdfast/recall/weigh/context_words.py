"""Measures how well the context of a message matches the query: the messages around it, and the rest of its session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdfast.text.bags import length_of

# The previous message counts twice as much as the next one: an answer follows its question.
_BEFORE, _AFTER = 2 / 3, 1 / 3
# A message of more words than these says more by itself, so its context counts less, in proportion.
_WORDS = 70

_BOTH = ("user", "assistant")
_FEW = 3
# The ratio of lengths up to which two people talk. From twice this ratio on, one of them is certainly a model.
_ALIKE = 1.5

Neighbours = Mapping[int, tuple[int | None, int | None]]
_NOBODY: tuple[int | None, int | None] = (None, None)


def context_scores(
    passages: Sequence[int], bags: Sequence[bytes], neighbours: Neighbours, bm25: Mapping[int, float]
) -> list[float]:
    """Returns 0…1 for each passage: the BM25 score of its neighbours, compared with the best candidate's.

    0 for a passage that is no message. `bm25` has the scores of the passages and of their neighbours.
    """
    best = max((bm25[passage] for passage in passages), default=0.0)
    if not best:
        return [0.0] * len(passages)
    # Each neighbour's share of the best; None is the neighbour of a first or last message.
    shares: dict[int | None, float] = {passage: min(1.0, score / best) for passage, score in bm25.items()}
    shares[None] = 0.0
    scores = []
    for passage, bag in zip(passages, bags, strict=True):
        before, after = neighbours.get(passage, _NOBODY)
        near = _BEFORE * shares.get(before, 0.0) + _AFTER * shares.get(after, 0.0)
        scores.append(near * min(1.0, _WORDS / max(length_of(bag), 1)) if near else 0.0)
    return scores


def session_scores(scores: Sequence[float], sessions: Sequence[object]) -> list[float]:
    """Returns for each candidate the best score of its session: messages beside an answer often belong to it.

    If all candidates are of one session, this changes nothing. A candidate without a session gets the mean of the
    others: it neither gains nor loses.
    """
    best: dict[object, float] = {}
    for score, session in zip(scores, sessions, strict=True):
        best[session] = max(best.get(session, 0.0), score)
    said = [best[session] for session in sessions if session is not None]
    usual = sum(said) / max(len(said), 1)
    return [usual if session is None else best[session] for session in sessions]


def replies_at_length(roles: Sequence[str | None], bags: Sequence[bytes]) -> float:
    """Returns 0 if user and assistant write messages of similar length, up to 1 if the assistant's are much longer.

    Much longer ones are replies of a language model. They repeat the words of the user's messages, so they say little
    about which message answers a query. Between people, the answer to a question is often the next message.
    """
    lengths = {role: [length_of(bag) for said, bag in zip(roles, bags, strict=True) if said == role] for role in _BOTH}
    if any(len(each) < _FEW for each in lengths.values()):
        return 0.0
    user, assistant = (sum(each) / len(each) for each in lengths.values())
    return min(1.0, max(0.0, (assistant / max(user, 1.0) - _ALIKE) / _ALIKE))
