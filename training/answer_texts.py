"""Sentences and passages of texts, as rows of questions and answers need them.

A passage is one to three sentences of at most `LONGEST` characters. Passages that answer and passages that do not are
made by the same rules, so that their form does not tell which is which.
"""

from __future__ import annotations

import hashlib
import heapq
import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

LONGEST = 400
_SHORTEST_CHOICE = 15
_MOST_HOLDERS = 3_000  # a word that more texts hold says little
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Gen|Col|Lt|Capt|Rev|Hon|vs|etc|e\.g|i\.e|cf|No|Nos|Fig|"
    r"approx|ca|Inc|Ltd|Co|Corp|Mt|Ft|al|art|M|MM|Mme|Mlle|av|env|p|pp|vol|ex|[A-Z])\.)$"
)
_BOUNDARY = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+(?=[\"'“‘«(\[]*[A-ZÀ-Ý0-9¿¡-])|\n+")
_PRONOUN = re.compile(
    r"^\W*(he|she|it|they|his|her|its|their|this|that|these|those|him|them|such|"
    r"il|elle|ils|elles|ce|cet|cette|ces|cela|celui-ci|celle-ci|ceux-ci|son|sa|ses|leur|leurs)\b",
    re.I,
)
_FUNCTION_WORDS = frozenset(
    """a an the of in on at to for from by with and or but is are was were be been do does did has have had it its this
    that these those what which who whom whose when where why how many much i you he she they we s t as can will
    would if not no your my their his her me le la les l un une des de du d et ou en au aux est sont été être que qu
    qui quoi quel quelle quels quelles quand comment pourquoi combien où il elle ils elles se sa son ses ce cette
    dans par pour sur avec ne pas plus y""".split()
)


def cleaned(text: str) -> str:
    return re.sub(r"[ \t\u00a0\u202f]+", " ", text).strip()


def joined_lines(text: str) -> str:
    return cleaned(text.replace("\n", " "))


def detokenized(text: str) -> str:
    """Removes the spaces that Penn Treebank's tokens have around them."""
    text = text.replace("-LRB-", "(").replace("-RRB-", ")").replace("``", '"').replace("''", '"')
    text = re.sub(r" (n't|'s|'re|'ve|'ll|'d|'m)\b", r"\1", text)
    text = re.sub(r" ([.,;:!?%)\]])", r"\1", text)
    return cleaned(re.sub(r"([(\[]) ", r"\1", text))


def content_words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W_]+", text.lower()) if word not in _FUNCTION_WORDS]


def count_shared(wanted: Iterable[str], text: str) -> int:
    """How many of the words a text has, some of them also without their last letter."""
    found = set(content_words(text))
    return sum(word in found or (len(word) > 5 and word[:-1] in found) for word in wanted)


def contains(text: str, answers: Iterable[str]) -> bool:
    """Whether a text holds one of the answers as whole words."""
    text = text.lower()
    return any(re.search(whole_words(answer.lower()), text) for answer in answers if answer.strip())


def whole_words(answer: str) -> str:
    """The pattern of an answer that is not a part of longer words."""
    return rf"(?<!\w){re.escape(answer.strip())}(?!\w)"


def draw_for(*keys: str) -> random.Random:
    """Draws that depend on the texts only, and not on what was read before."""
    return random.Random(hashlib.md5("|".join(keys).encode(), usedforsecurity=False).digest())


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence."""
    found, start = [], 0
    for boundary in _BOUNDARY.finditer(text):
        before = text[start : boundary.start()]
        if "\n" not in boundary.group() and _ABBREVIATION.search(before):
            continue
        if before.strip():
            found.append((start, boundary.start()))
        start = boundary.end()
    if text[start:].strip():
        found.append((start, len(text)))
    return found


def shortened(text: str, centre: int = 0) -> str:
    """At most LONGEST characters around an offset, from and to the end of a clause or word."""
    text = text.rstrip()
    if len(text) <= LONGEST:
        return cleaned(text)
    start = max(0, min(centre - LONGEST // 2, len(text) - LONGEST))
    if start and (space := re.search(r"[;:,] |\s", text[start : start + 60])):
        start += space.end()
    kept = text[start : start + LONGEST]
    if start + LONGEST < len(text):
        ends = [mark.end() for mark in re.finditer(r"[.;:!?,](?=\s)", kept) if mark.end() > LONGEST * 0.6]
        kept = kept[: ends[-1]] if ends and start + ends[-1] > centre + 60 else kept.rsplit(" ", 1)[0]
    return cleaned(kept)


def opening(text: str) -> str:
    """The first sentences of a longer answer; a line that ends after 200 characters ends it."""
    text = text.strip()
    end = 0
    for start, stop in sentence_spans(text):
        if stop > LONGEST or (end > 200 and "\n" in text[end:start]):
            break
        end = stop
    return shortened((text[:end] if end >= 30 else text).replace("\n", " "))


def chunks(text: str) -> list[str]:
    """All of a longer text, in passages of whole sentences."""
    found = [""]
    for start, end in sentence_spans(text):
        sentence = joined_lines(text[start:end])
        if found[-1] and len(found[-1]) + len(sentence) + 1 > LONGEST:
            found.append("")
        found[-1] = f"{found[-1]} {sentence}".strip()
    return [shortened(chunk) for chunk in found if chunk]


@dataclass(frozen=True)
class Context:
    """A text that a question is asked about, and its sentences by number."""

    text: str

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        return sentence_spans(self.text)

    def sentence(self, number: int) -> str:
        return self.text[slice(*self.spans[number])]

    def number_at(self, offset: int) -> int | None:
        """The number of the sentence that holds an offset."""
        return next((number for number, (start, end) in enumerate(self.spans) if start <= offset < end), None)

    def passage(self, number: int, draw: random.Random, *, without: Collection[str] = (), centre: int = 0) -> str:
        """A sentence, with the one before it if it opens with a pronoun, or by chance with the one before or after.

        The second sentence must not bring in a string of `without`. A long sentence is cut around `centre`.
        """
        start, end = self.spans[number]
        wider = ""
        if number and (_PRONOUN.search(self.sentence(number)) or draw.random() < 0.25):
            wider = self.text[self.spans[number - 1][0] : end]
        elif number + 1 < len(self.spans) and draw.random() < 0.15:
            wider = self.text[start : self.spans[number + 1][1]]
        if wider and len(wider) <= LONGEST and not contains(wider, without):
            return joined_lines(wider)
        return shortened(self.sentence(number).replace("\n", " "), max(0, centre - start))

    def passages(self, draw: random.Random) -> list[str]:
        return [self.passage(number, draw) for number in range(len(self.spans))]


def chosen(question: str, texts: Iterable[str], count: int, first: Iterable[str] = ()) -> list[str]:
    """`first`, then texts: half are those that share most words with the question, half are drawn."""
    taken = list(dict.fromkeys(first))[:count]
    pool = [text for text in dict.fromkeys(texts) if text not in taken and len(text) >= _SHORTEST_CHOICE]
    wanted, draw = set(content_words(question)), draw_for(question)

    def rank(text: str) -> tuple[float, float]:
        return -count_shared(wanted, text) / (1 + len(content_words(text))) ** 0.3, draw.random()

    pool.sort(key=rank)
    half = (count - len(taken) + 1) // 2
    rest = pool[half:]
    draw.shuffle(rest)
    for text in pool[:half] + rest:
        if len(taken) < count and not any(text in other or other in text for other in taken):
            taken.append(text)
    return taken


class RareWords:
    """Finds those texts of a collection that share rare words with a question."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = list(dict.fromkeys(texts))
        self._holders: defaultdict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(self._texts):
            for word in set(content_words(text)):
                self._holders[word].append(number)

    def nearest(self, question: str, count: int) -> list[str]:
        scores: defaultdict[int, float] = defaultdict(float)
        # Not a set of the words: its order differs from run to run, and would decide between equal texts.
        for word in dict.fromkeys(content_words(question)):
            holders = self._holders.get(word, [])
            if len(holders) <= _MOST_HOLDERS:
                for number in holders:
                    scores[number] += 1 / (1 + len(holders)) ** 0.5
        return [self._texts[number] for number in heapq.nlargest(count, scores, key=scores.__getitem__)]
