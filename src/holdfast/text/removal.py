"""Removes what repeats erased texts: sentences that say the same, and lines that cite or show an erased memory."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from holdfast.text.patterns import compiled
from holdfast.text.stop_words import STOP_WORDS

# The share of a sentence's words that two sentences have in common if they say the same.
_SAME = 0.7
_FEWEST_WORDS = 3
_MOST_PASSES = 3
# A shorter sentence is found inside others if it has two words that tell something, or one such as `x4711`.
_TELLING_WORDS, _TELLING_LENGTH = 2, 4
# The end of a text that was cut, as in citations and titles.
_CUT = "…"
_ENDS = ".!?…。！？"
_WORD = r"\w+"
# Between two words; a line break may be written `<br>`, as in MEMORY.md, or as in the source of a program.
_SPACE = r"(?:\s|<br\s*/?>|\\[nr])+"
# `1.` and `[2026-11-19 17:50]` at the beginning of a sentence belong to it, and say nothing by themselves.
_NUMERAL = r"\W*\d{1,3}[.)]"
_DATE = r"[\W_]*\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?(?!\w)"


class SentenceRemoval:
    """Removes sentences that repeat one of the given texts, and leaves `mark` in their place.

    `anchors` are the short ids of erased memories: a line that cites one, or has it as its anchor, goes as a whole.
    """

    def __init__(self, texts: Iterable[str], mark: str = "", anchors: Iterable[str] = ()) -> None:
        self._mark = mark
        kept = [text for text in texts if compiled(_WORD).search(text)]
        split = [[_said(sentence) for sentence, _ in _sentences(text)] for text in kept]
        self._bags = [bag for bag in {_telling(words) for said in split for words in said} if len(bag) >= _FEWEST_WORDS]
        self._bags_of = _places(self._bags)
        wholes = [_all_words_of(text) for text in kept]
        # `Yes` is removed where it is a sentence, not from every sentence with that word.
        self._wholes = _by_beginning(_run(words) for words in wholes if _is_telling(words))
        self._runs = _by_beginning(_run(words) for said in split for words in said if _is_telling(words))
        self._brief = {_run(words) for said in (*split, wholes) for words in said if words}
        self.words = frozenset(word for text in kept for word in _words(text))
        self._cited = _citation(sorted(anchors))

    def repeats(self, text: str) -> bool:
        """Does the text contain one of the texts word for word, apart from case, spacing and punctuation?

        A single ordinary word counts only as the whole text.
        """
        plain = _run(_all_words_of(text))
        return plain in self._brief or any(gone in plain for gone in _candidates(self._wholes, plain))

    def clean(self, text: str) -> str:
        """The text without the sentences that say the same as one of the texts."""
        clean = self._cleaned(text, self._mark)
        return self._mark if clean != text and self.repeats(clean) else clean

    def clean_json(self, text: str) -> str:
        """JSON with all its texts cleaned; other text is cleaned as it is."""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return self.clean(text)
        clean = self.clean_value(value)
        return text if clean == value else json.dumps(clean, ensure_ascii=False)

    def clean_page(self, text: str) -> str:
        """A page without the list items that show an erased memory, and without what repeats it.

        It leaves no mark: the stored versions of a page and its files stay alike, else a removal passes for an edit.
        """
        return self._cleaned(self.without_anchored(text), "")

    def without_anchored(self, text: str) -> str:
        """A page without the list items, with all their lines, that have one of the anchors."""
        kept: list[str] = []
        for line in text.split("\n"):
            if self._cited is not None and self._cited.search(line):
                begin = next((at for at in range(len(kept) - 1, -1, -1) if _begins_item(kept[at])), len(kept))
                continues = not _begins_item(line) and not any("<!--" in each for each in kept[begin:])
                del kept[begin if continues else len(kept) :]
            else:
                kept.append(line)
        return "\n".join(kept)

    def clean_value(self, value: Any) -> Any:
        """A value of JSON with all its texts cleaned, also those that are JSON themselves."""
        if isinstance(value, str):
            return self.clean_json(value) if value[:1] in ("{", "[", '"') else self.clean(value)
        if isinstance(value, dict):
            # Names of fields are no texts.
            names = {name: name if name.isidentifier() else self.clean(name) for name in value}
            return {names[name]: self.clean_value(inner) for name, inner in value.items()}
        return [self.clean_value(inner) for inner in value] if isinstance(value, list) else value

    def _cleaned(self, text: str, mark: str) -> str:
        if self._cited is not None and self._cited.search(text):
            text = "\n".join(mark if self._cited.search(line) else line for line in text.split("\n"))
        # Again, because sentences that come together may repeat something, too.
        for _ in range(_MOST_PASSES):
            if self.words.isdisjoint(_words(text)):
                return text
            sentences = list(_sentences(text))
            gone = {at for at in self._repeated(sentences) if sentences[at][0] != mark}
            if not gone:
                return text
            parts = ((mark if at in gone else sentence, space) for at, (sentence, space) in enumerate(sentences))
            text = "".join(f"{part}{space}" for part, space in parts)
        return text

    def _repeated(self, sentences: list[tuple[str, str]]) -> set[int]:
        """The numbers of the sentences that repeat something, alone or together with those beside them."""
        said = [_said(sentence) for sentence, _ in sentences]
        gone = {at for at, words in enumerate(said) if _run(words) in self._brief or self._says(_telling(words))}
        gone |= {at for at, (sentence, _) in enumerate(sentences) if _CUT in sentence and self._is_cut(sentence)}
        starts, plain = [0], " "
        for sentence, _ in sentences:
            plain += "".join(f"{word} " for word in _all_words(sentence))
            starts.append(len(plain) - 1)
        for found in (*_candidates(self._wholes, plain), *_candidates(self._runs, plain)):
            at = plain.find(found)
            while at >= 0:
                end = at + len(found) - 2
                # Those with a word in it: one that ends where it begins has none.
                gone.update(range(bisect_right(starts, at) - 1, bisect_left(starts, end)))
                at = plain.find(found, end + 1)
        return gone

    def _is_cut(self, sentence: str) -> bool:
        """Are the last words before the mark of a cut words of a sentence that is gone? The last one may be a part."""
        words = _all_words(sentence.rpartition(_CUT)[0])
        ends = (words[-count:] for count in range(_FEWEST_WORDS, len(words) + 1))
        last = next((f" {' '.join(end)}" for end in ends if _is_telling(end)), None)
        return last is not None and any(last in run for runs in self._runs.values() for run in runs)

    def _says(self, words: frozenset[str]) -> bool:
        shared = Counter(number for word in words for number in self._bags_of.get(word, ()))
        return any(_is_same(words, self._bags[number], count) for number, count in shared.items())


def without_erased_items(text: str, erased: Callable[[Collection[str]], Collection[str]]) -> str:
    """A page without the list items whose anchors belong to erased memories, and without what repeats these items.

    `erased` says which anchors do.
    """
    anchors = set(compiled(r"<!--\s*([0-9a-z]{8})\s*-->").findall(text))
    gone = erased(anchors) if anchors else ()
    if not gone:
        return text
    kept = SentenceRemoval((), anchors=gone).without_anchored(text)
    lines = set(text.split("\n")) - set(kept.split("\n"))
    return SentenceRemoval(compiled(r"\*\(.*|<!--.*").sub("", line) for line in lines).clean(kept)


def _is_same(words: frozenset[str], gone: frozenset[str], shared: int) -> bool:
    """Do two sentences say the same? "Crane 3" and "crane 4" are two things.

    If only one has a number, such as a date, all words of the other one must be in it.
    """
    if min(len(words), len(gone)) < _FEWEST_WORDS:
        return False
    numbers, others = _numbers(words), _numbers(gone)
    if numbers == others:
        return shared >= _SAME * min(len(words), len(gone))
    return (numbers < others and shared == len(words)) or (others < numbers and shared == len(gone))


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if word.isdigit())


def _places(bags: Sequence[frozenset[str]]) -> dict[str, list[int]]:
    """The numbers of the bags that have each word."""
    found: dict[str, list[int]] = {}
    for number, bag in enumerate(bags):
        for word in bag:
            found.setdefault(word, []).append(number)
    return found


def _is_telling(words: list[str]) -> bool:
    """Does a sentence say enough to be found inside others?"""
    long = any(len(word) >= _TELLING_LENGTH and any(map(str.isdigit, word)) for word in words)
    return long or len(_telling(words)) >= _TELLING_WORDS


def _citation(anchors: list[str]) -> re.Pattern[str] | None:
    """Matches a citation of one of the memories."""
    ids = "|".join(map(re.escape, anchors))
    return re.compile(rf"(?:\[Memory #(?:{ids})\b|<!--\s*(?:{ids})\s*-->)") if ids else None


def _telling(words: list[str]) -> frozenset[str]:
    return frozenset(word for word in words if word not in STOP_WORDS)


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """The sentences and lines of a text, each with the blank space after it."""
    start = 0
    for space in compiled(_SPACE).finditer(text):
        line_ends = any(character in space[0] for character in "\n<\\")
        ends = text[space.start() - 1 : space.start()] in tuple(_ENDS)
        if line_ends or (ends and not compiled(_NUMERAL).fullmatch(text[start : space.start()][:9])):
            yield text[start : space.start()], space[0]
            start = space.end()
    yield text[start:], ""


def _said(sentence: str) -> list[str]:
    """The words of a sentence without a numeral or date before it."""
    for pattern in (_NUMERAL, _DATE):
        if (found := compiled(pattern).match(sentence)) and compiled(_WORD).search(sentence, found.end()):
            sentence = sentence[found.end() :]
    return _all_words(sentence)


def _all_words(text: str) -> list[str]:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return compiled(_WORD).findall((html.unescape(text) if "&" in text else text).casefold())


def _words(text: str) -> frozenset[str]:
    return frozenset(_all_words_of(text))


def _run(words: list[str]) -> str:
    return f" {' '.join(words)} "


def _all_words_of(text: str) -> list[str]:
    return [word for sentence, _ in _sentences(text) for word in _all_words(sentence)]


def _beginning(run: str) -> tuple[str, ...]:
    return tuple(run.split(maxsplit=2)[:2])


def _by_beginning(runs: Iterable[str]) -> Mapping[tuple[str, ...], set[str]]:
    """Texts by their first two words, by which those that may be in another text are found."""
    found: dict[tuple[str, ...], set[str]] = {}
    for run in runs:
        found.setdefault(_beginning(run), set()).add(run)
    return found


def _candidates(runs: Mapping[tuple[str, ...], set[str]], plain: str) -> Iterator[str]:
    words = plain.split()
    for beginning in {*pairwise(words), *((word,) for word in words)}:
        yield from runs.get(beginning, ())


def _begins_item(line: str) -> bool:
    return compiled(r"\s*(?:[-*+•#]|\d{1,9}[.)])").match(line) is not None
