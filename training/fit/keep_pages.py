"""The labelled conversations that the model of what is worth keeping is fitted on, as pages of messages."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.conversation.kept import TALKS, Label, LabelledChat, forms, labelled, written
from bench.conversation.published import labelled_chats, read_labels
from bench.reader_scores import key, left_out_scores

from holdfast.learn.keep.keep_features import SentenceView, features, is_clear, views
from holdfast.learn.keep.kept_statements import KeptStatement
from holdfast.learn.keep.self_contained import self_contained
from holdfast.learn.keep.surroundings import surroundings
from holdfast.learn.keep.turns import split_into_turns
from holdfast.models.reader import KEEP, bundled_reader

# Consolidation reads a page of messages together with the page before it.
_PAGE = 30
LABELS = "rdpfcmx"
# The written chats. Those with coding agents trained the reader, and nothing says how it judges them unseen.
WRITTEN = ("", "more ", "third ")
# The labelled files that are trained on; the test parts are not.
PARTS = {"project": ("train", "more", "third", "fourth"), "personal": ("train", "more", "third")}


@dataclass(frozen=True, slots=True)
class FitPage:
    """The messages that are judged together, and the label of each sentence that has one."""

    chat: LabelledChat
    views: Sequence[SentenceView]
    names: Sequence[Sequence[str]]
    labels: Sequence[str]
    part: str

    def fold(self, folds: int, salt: str = "") -> int:
        return int(hashlib.sha256((salt + self.chat.id).encode()).hexdigest(), 16) % folds


def pages(data: Path, clones: Sequence[Path] = (), parts: Sequence[str] = WRITTEN) -> list[FitPage]:
    """Everything to train on; `clones` are repositories that publish labelled sessions with coding agents.

    `parts` are those of the written chats.
    """
    real = [page for talk in TALKS for part in PARTS[talk] for page in _pages(labelled(talk, part, data), part)]
    labels = read_labels("train")
    published = [page for clone in clones for page in _pages(labelled_chats(clone, labels), "published")]
    return [*real, *published, *_pages(written(parts), "written"), *_pages(forms("dev"), "written")]


def understood(page: FitPage) -> list[bool]:
    """Does each labelled sentence give a line that can be understood alone? Others are never learned."""
    statements = (
        KeptStatement(view.sentence.text, view.turn.message, view.turn, label, 1.0, view.place, view.before)
        for view, label in zip(page.views, page.labels, strict=True)
    )
    return [bool(one.label) and bool(self_contained(one)) for one in statements]


def opinion(page: FitPage, n: int) -> float:
    """What a reader says of a sentence that it was not trained on; NaN if the sentence is not read.

    Sentences without a label were never trained on.
    """
    if is_clear(page.names[n]):
        return float("nan")
    text, around = page.views[n].sentence.text, surroundings(page.views, n)
    known = left_out_scores().get(key(text, around))
    return bundled_reader().keep(text, around) if known is None else float(known[KEEP])


def _pages(chats: Iterable[LabelledChat], part: str) -> list[FitPage]:
    found = []
    for chat in chats:
        by_page: dict[int, list[Label]] = {}
        for label in chat.labels:
            by_page.setdefault(label.message // _PAGE, []).append(label)
        for number, labels in by_page.items():
            messages = chat.messages[max(0, number - 1) * _PAGE : (number + 1) * _PAGE]
            sentences = views(split_into_turns(messages))
            found.append(FitPage(chat, sentences, features(sentences), _labels(chat, sentences, labels), part))
    return found


def _labels(chat: LabelledChat, found: Sequence[SentenceView], labels: Iterable[Label]) -> list[str]:
    """The label of each sentence; empty if it has none. Sentences may be cut otherwise than when they were labelled."""
    of = [""] * len(found)
    for label in labels:
        id = chat.messages[label.message].id
        shared = [
            (min(view.sentence.end, label.end) - max(view.sentence.start, label.start), n)
            for n, view in enumerate(found)
            if view.turn.message.id == id
        ]
        if shared and max(shared)[0] > 0:
            of[max(shared)[1]] = label.label
    return of
