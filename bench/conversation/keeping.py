"""Measures which sentences of real and written talk are kept, against labels (`bench/sets/kept`, `bench/sets/updates`).

Standalone: `python -m bench.conversation.keeping [--part train]`. The test part is for the end.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bench.conversation.extract import DATA
from bench.conversation.kept import TALKS, Label, LabelledChat, conversations, forms, labelled, messages_of
from holdfast.bench.reports import Figure, aligned
from holdfast.core.conversation import Learned, Message
from holdfast.learn.keep.rule_extractor import learn
from holdfast.learn.page import MAX_MESSAGES

_TARGETS = {"project": (0.8, 0.6), "personal": (0.8, 0.5)}
_MOST_PER_HUNDRED = 3.0
_FRIENDS = "friends"
# A quotation covers a labelled sentence if it contains at least this share of it.
_COVERED = 0.5


def figures(data: Path = DATA, part: str = "test") -> tuple[Figure, ...]:
    """Precision and recall of kept sentences, small talk, and forms of speech; nothing if the data is missing."""
    if not (data / "dialogue-qa").is_dir():
        return ()
    found = [figure for talk in TALKS for figure in _precision_and_recall(talk, labelled(talk, part, data))]
    return (*found, _small_talk(data), *_forms("dev" if part == "train" else part))


def kept_sentences(chat: LabelledChat) -> Iterator[tuple[Label, bool]]:
    """Each labelled sentence, and whether it was kept."""
    spans: dict[str, list[tuple[int, int]]] = {}
    texts = {message.id: message.text for message in chat.messages}
    for learned in learn_by_pages(chat.messages):
        begin = texts[learned.evidence[0]].find(learned.quote)
        spans.setdefault(learned.evidence[0], []).append((begin, begin + len(learned.quote)))
    for label in chat.labels:
        own = spans.get(chat.messages[label.message].id, ())
        covered = (min(label.end, end) - max(label.start, begin) for begin, end in own)
        yield label, any(part >= _COVERED * (label.end - label.start) for part in covered)


def learn_by_pages(messages: Sequence[Message]) -> Iterator[Learned]:
    """What consolidation learns: page by page, each read together with the page before it."""
    for start in range(0, len(messages), MAX_MESSAGES):
        page = messages[start : start + MAX_MESSAGES]
        ids = {message.id for message in page}
        for learned in learn(messages[max(0, start - MAX_MESSAGES) : start + len(page)]):
            if learned.evidence[-1] in ids:
                yield learned


def _precision_and_recall(talk: str, chats: Iterable[LabelledChat]) -> Iterator[Figure]:
    judged = [(label.kept, kept) for chat in chats for label, kept in kept_sentences(chat)]
    right = sum(worth and kept for worth, kept in judged)
    kept, worth = sum(kept for _, kept in judged), sum(worth for worth, _ in judged)
    precision, recall = right / max(1, kept), right / max(1, worth)
    least_precision, least_recall = _TARGETS[talk]
    title = f"{talk} talk, {len(judged):,} sentences"
    yield Figure(f"{title}: precision", f"{precision:.2f}", f"≥ {least_precision:.2f}", precision >= least_precision)
    yield Figure(f"{title}: recall", f"{recall:.2f}", f"≥ {least_recall:.2f}", recall >= least_recall)


def _small_talk(data: Path) -> Figure:
    scenes = {id: turns for id, turns in conversations("dialogue-qa", data).items() if id.startswith(_FRIENDS)}
    turns = sum(map(len, scenes.values()))
    kept = sum(1 for id, said in scenes.items() for _ in learn_by_pages(messages_of(id, said)))
    rate = 100 * kept / turns
    name = f"kept per 100 turns of small talk, {turns:,} turns"
    return Figure(name, f"{rate:.1f}", f"≤ {_MOST_PER_HUNDRED:.0f}", rate <= _MOST_PER_HUNDRED)


def _forms(part: str) -> Iterator[Figure]:
    judged = [(chat.labels[0].kept, bool(learn(chat.messages))) for chat in forms(part)]
    for worth, title in ((True, "sentences to keep, in many forms"), (False, "sentences that say nothing")):
        kept = [kept for expected, kept in judged if expected is worth]
        yield Figure(f"{title}: kept", f"{sum(kept)} of {len(kept)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--part", default="test", choices=("train", "test"))
    options = parser.parse_args()
    print(aligned([(f.name, f.value, f.target) for f in figures(options.data, options.part)]))


if __name__ == "__main__":
    main()
