"""Measures how well names are found in texts by programmers: exact span and type, compared with patterns alone.

The data is a part of the StackOverflow NER corpus: sentences of questions and answers, tagged by hand. On the file that
the shipped model was fitted on, only the speed is measured here: `python -m training.fit.entities` prints the
cross-validated figures.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.recall.tables import Share
from holdfast.bench.measure import Measurement
from holdfast.bench.reports import Section
from holdfast.core.entity import Mention
from holdfast.entities.regex import find_by_form
from holdfast.entities.statistical import CLAIMED, WEIGHTS, StatisticalReader
from holdfast.entities.strategies import NameExtractor

SET = "entities/stackoverflow_dev.jsonl.gz"
ABOVE = 0.05
FOLDS = 5
_NEW_DOCUMENT = "Question_ID"
# Our labels for the types of the corpus. Buttons, values, code blocks and arrays are left out: nobody searches
# memories for them.
LABELS: Mapping[str, str] = {
    "Application": "application",
    "Library": "library",
    "Library_Class": "class",
    "Class_Name": "class",
    "Library_Function": "function",
    "Function_Name": "function",
    "Language": "language",
    "Operating_System": "os",
    "File_Name": "file",
    "File_Type": "filetype",
    "Version": "version",
}
Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, the names in it and the document it belongs to."""

    text: str
    names: frozenset[Span]
    document: int


def tables(folder: Path) -> tuple[Section, ...]:
    """Figures by type, if the shipped model has not seen the file, and the speed of patterns; none without the data."""
    path = folder / SET
    if not path.is_file():
        return ()
    sentences = read(path)
    if fitted_on() == hashlib.sha256(path.read_bytes()).hexdigest():
        return (speed(sentences),)
    accurate = names_found(sentences, NameExtractor((StatisticalReader(),)).accurate)
    return (by_type(sentences, accurate, "unseen, with the shipped model"), speed(sentences))


def by_type(sentences: Sequence[Sentence], accurate: Sequence[Sequence[Mention]], how: str) -> Section:
    """The figures of each type, beside those of patterns alone."""
    patterns = names_found(sentences, find_by_form)
    scores = {"accurate": score(sentences, accurate), "regex only": score(sentences, patterns)}
    return _by_type(f"Names in texts by programmers, F1 of exact span and type ({how})", scores)


def names_found(sentences: Sequence[Sentence], extract: Callable[[str], list[Mention]]) -> list[list[Mention]]:
    return [extract(sentence.text) for sentence in sentences]


def read(path: Path) -> list[Sentence]:
    """Reads the sentences of a file, words joined by blanks."""
    found, document = [], -1
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            document += row["tokens"][:1] == [_NEW_DOCUMENT]
            names = frozenset(_spans(row["tokens"], row["tags"]))
            found.append(Sentence(" ".join(row["tokens"]), names, max(document, 0)))
    return found


def blocks(sentences: Sequence[Sentence]) -> list[int]:
    """The cross-validation fold of each sentence; adjacent documents are in the same fold."""
    count = sentences[-1].document + 1
    return [sentence.document * FOLDS // count for sentence in sentences]


def score(sentences: Sequence[Sentence], found: Sequence[Sequence[Mention]]) -> dict[str, tuple[float, float, float]]:
    """Computes precision, recall and F1 of every supported type and of all together."""
    right, predicted, actual = Counter[str](), Counter[str](), Counter[str]()
    for sentence, mentions in zip(sentences, found, strict=True):
        found_spans = {(one.start, one.end, one.label) for one in mentions if one.label in CLAIMED}
        wanted = {one for one in sentence.names if one[2] in CLAIMED}
        for counter, spans in ((right, found_spans & wanted), (predicted, found_spans), (actual, wanted)):
            counter.update(label for _, _, label in spans)
            counter["all"] += len(spans)
    return {label: _figures(right[label], predicted[label], actual[label]) for label in ("all", *CLAIMED)}


def speed(sentences: Sequence[Sentence], characters: int = 300) -> Section:
    """Measures the time of the pattern reader for a message of three hundred characters."""
    joined = " ".join(sentence.text for sentence in sentences)
    messages = [joined[at : at + characters] for at in range(0, min(len(joined), 300_000), characters)]
    taken = min(_seconds(messages) for _ in range(3))
    cost = Measurement(f"names in {characters} characters", 1e6 * taken / len(messages), None, "µs")
    return Section("Names per message", (cost,))


def fitted_on() -> str:
    """The SHA-256 of the file on which the shipped model was fitted."""
    return (WEIGHTS.parent / "tagger.sha256").read_text(encoding="utf-8").strip()


def _spans(tokens: Sequence[str], tags: Sequence[str]) -> list[Span]:
    found: list[Span] = []
    at, open_ = 0, -1
    for place, (token, tag) in enumerate(zip(tokens, tags, strict=True)):
        label = LABELS.get(tag[2:])
        inside = tag.startswith("I-") and place > 0 and tags[place - 1][2:] == tag[2:]
        if label and inside and open_ >= 0:
            found[open_] = (found[open_][0], at + len(token), label)
        elif label:
            open_ = len(found)
            found.append((at, at + len(token), label))
        else:
            open_ = -1
        at += len(token) + 1
    return found


def _figures(right: int, predicted: int, actual: int) -> tuple[float, float, float]:
    return right / max(predicted, 1), right / max(actual, 1), 2 * right / max(predicted + actual, 1)


def _by_type(title: str, scores: Mapping[str, Mapping[str, tuple[float, float, float]]]) -> Section:
    ours, plain = scores["accurate"], scores["regex only"]
    floor = plain["all"][2] + ABOVE
    header = ("", "accurate", "precision", "recall", "regex only", "floor")
    lines = [
        (label, f"{ours[label][2]:.3f}", f"{ours[label][0]:.3f}", f"{ours[label][1]:.3f}", f"{plain[label][2]:.3f}",
         f"{floor:.3f}" if label == "all" else "")
        for label in ours
    ]  # fmt: skip
    rows = [Share(label, ours[label][2], budget=floor if label == "all" else None) for label in ours]
    rows += [Share(f"{label}, regex only", plain[label][2]) for label in plain]
    return Section(title, tuple(rows), cells=(header, *lines))


def _seconds(messages: Sequence[str]) -> float:
    started = time.perf_counter()
    for message in messages:
        find_by_form(message)
    return time.perf_counter() - started
