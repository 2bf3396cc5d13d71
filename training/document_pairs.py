"""Pairs from documents, code and commits: headings and sections, docstrings and functions, subjects and changes.

python -m training.document_pairs --mirrors DIR --out document_pairs.jsonl.xz
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from training.dialogue_pairs import Pair
from training.functions import Function, functions, search_query
from training.git_batch import commits, read_all
from training.pair_files import run, training_pair
from training.sections import Section, is_question, questions, sections, shortened
from training.sources import Mirrors

LONGEST_PASSAGE = 600
NEGATIVES = 8  # before those that are no passages themselves are left out
SEED = 14


@dataclass(frozen=True)
class Reading:
    """What to read of one repository: a folder, the ends of the files' names, and how many pairs at most."""

    repository: str
    folder: str
    ends: tuple[str, ...]
    limit: int
    marks: str = "#"
    only: str = ""  # read only documents that say this


DOCUMENTS = (
    Reading("github/docs", "content/", (".md",), 4_500),
    Reading("kubernetes/website", "content/en/docs/", (".md",), 3_500),
    Reading("kubernetes/website", "content/en/blog/", (".md",), 1_000),
    Reading("microsoft/vscode-docs", "", (".md",), 4_000),
    Reading("rust-lang/rfcs", "text/", (".md",), 1_800),
    Reading("fastapi/fastapi", "docs/en/docs/", (".md",), 1_200),
    Reading("python/peps", "peps/", (".rst",), 2_000, "=", only="public domain"),
    Reading("django/django", "docs/", (".txt",), 3_000, "="),
    Reading("scikit-learn/scikit-learn", "doc/", (".rst",), 1_000, "="),
    Reading("pandas-dev/pandas", "doc/source/", (".rst",), 1_500, "="),
    Reading("numpy/numpy", "doc/source/", (".rst",), 1_000, "="),
    Reading("pallets/flask", "docs/", (".rst",), 400, "="),
    Reading("psf/requests", "docs/", (".rst",), 200, "="),
    Reading("scrapy/scrapy", "docs/", (".rst",), 600, "="),
    Reading("pytest-dev/pytest", "doc/en/", (".rst",), 700, "="),
    Reading("matplotlib/matplotlib", "doc/", (".rst",), 500, "="),
)
CODE = (
    Reading("django/django", "django/", (".py",), 2_000),
    Reading("scikit-learn/scikit-learn", "sklearn/", (".py",), 1_500),
    Reading("pandas-dev/pandas", "pandas/", (".py",), 1_500),
    Reading("numpy/numpy", "numpy/", (".py",), 1_200),
    Reading("matplotlib/matplotlib", "lib/", (".py",), 1_500),
    Reading("networkx/networkx", "networkx/", (".py",), 1_000),
    Reading("nltk/nltk", "nltk/", (".py",), 1_200),
    Reading("TheAlgorithms/Python", "", (".py",), 1_500),
    Reading("keon/algorithms", "", (".py",), 500),
    Reading("mahmoud/boltons", "boltons/", (".py",), 500),
    Reading("scrapy/scrapy", "scrapy/", (".py",), 500),
    Reading("pytest-dev/pytest", "src/", (".py",), 500),
    Reading("pallets/flask", "src/", (".py",), 300),
    Reading("psf/requests", "src/", (".py",), 200),
    Reading("fastapi/fastapi", "fastapi/", (".py",), 100),
)
COMMITS = (
    Reading("django/django", "", (), 1_500),
    Reading("scikit-learn/scikit-learn", "", (), 900),
    Reading("pandas-dev/pandas", "", (), 900),
    Reading("numpy/numpy", "", (), 600),
    Reading("matplotlib/matplotlib", "", (), 600),
    Reading("pytest-dev/pytest", "", (), 500),
    Reading("kubernetes/website", "", (), 500),
)
ANSWERS = Reading("abachaa/MedQuAD", "", (".xml",), 2_000)


def pairs(mirrors: Mirrors) -> Iterator[Pair]:
    """All pairs, source by source."""
    for reading in DOCUMENTS:
        yield from _drawn(list(_document_pairs(mirrors, reading)), reading.limit)
    for reading in CODE:
        yield from _drawn(list(_code_pairs(mirrors, reading)), reading.limit)
    for reading in COMMITS:
        yield from _drawn(list(_commit_pairs(mirrors, reading)), reading.limit)
    yield from _drawn(list(_answer_pairs(mirrors)), ANSWERS.limit)


def paths(mirrors: Mirrors, reading: Reading) -> list[str]:
    """The files that a reading names, without tests and release notes, which say little or repeat themselves."""
    found = mirrors.files(reading.repository, reading.folder)
    return [path for path in found if path.endswith(reading.ends) and not _UNWANTED.search(path)]


def documents(mirrors: Mirrors, reading: Reading) -> Iterator[str]:
    """The documents of a reading."""
    for _, text in read_all(mirrors, reading.repository, paths(mirrors, reading)):
        if reading.only in " ".join(text.split()):
            yield text


_UNWANTED = re.compile(
    r"(^|/)(tests?|testing|releases?|release[_-]notes|whats_?new|whatsnew|_vendor|node_modules|config-api|kubernetes-api)/|test_"
)


def section_pairs(source: str, found: Sequence[Section], chance: random.Random) -> Iterator[Pair]:
    """A question for each section; other sections of the same document are the hard negatives."""
    bodies = [shortened(section.body, LONGEST_PASSAGE) for section in found]
    for number, section in enumerate(found):
        question = questions(section, chance)
        if len(question) < 9 or len(question) > 200:
            continue
        others = [body for other, body in enumerate(bodies) if other != number]
        negatives = tuple(chance.sample(others, min(NEGATIVES, len(others))))
        body = bodies[number]
        if section.title and section.title != section.heading and chance.random() < 0.3:
            body = f"{section.title}\n{body}"
        kind = "faq" if is_question(section.heading) else "heading"
        yield training_pair(source, kind, question, body, negatives)


def function_pair(source: str, function: Function, others: Sequence[Function], chance: random.Random) -> Pair:
    """The docstring's summary and the function, usually without its docstring."""
    shown = chance.random() < 0.4
    query = search_query(function, chance)
    negatives = [other for other in others if other.name != function.name]
    return training_pair(
        source,
        "docstring",
        query,
        function.with_docstring if shown else function.without_docstring,
        tuple(
            other.with_docstring if shown else other.without_docstring
            for other in chance.sample(negatives, min(1, len(negatives)))
        ),
    )


def commit_pair(source: str, subject: str, diff: str) -> Pair | None:
    """A commit's subject and the largest part of its change; nothing for subjects that say little."""
    subject = re.sub(r"^(?:Fixed|Refs|Fixes|Closes) #\d+(?:, ?#\d+)*\s*(?:--|:)?\s*", "", subject)
    subject = re.sub(r"^\[[^\]]*\]\s*|\s*\(#\d+\)$|^[A-Z]{2,6}(?:/[A-Z]+)?: ", "", subject).strip()
    if not 4 <= len(subject.split()) <= 25 or re.match(r"(?i)bump|merge|release|revert|update|typo", subject):
        return None
    best = ""
    for change in diff.split("diff --git ")[1:]:
        path = re.search(r"(?m)^\+\+\+ b/(.+)$", change)
        for hunk in re.split(r"(?m)^@@ .*? @@", change)[1:]:
            if path and len(hunk) > len(best):
                best = f"{path.group(1)}\n{hunk.strip()}"
    return training_pair(source, "commit", subject, best[:LONGEST_PASSAGE]) if len(best) > 120 else None


def _document_pairs(mirrors: Mirrors, reading: Reading) -> Iterator[Pair]:
    chance = random.Random(SEED)
    for text in documents(mirrors, reading):
        yield from section_pairs(reading.repository, sections(text, marks=reading.marks), chance)


def _code_pairs(mirrors: Mirrors, reading: Reading) -> Iterator[Pair]:
    chance = random.Random(SEED)
    for _, text in read_all(mirrors, reading.repository, paths(mirrors, reading)):
        found = list(functions(text))
        for function in found:
            yield function_pair(reading.repository, function, found, chance)


def _commit_pairs(mirrors: Mirrors, reading: Reading) -> Iterator[Pair]:
    for commit in commits(mirrors, reading.repository, reading.limit * 2, every=3):
        pair = commit_pair(reading.repository, commit.subject, commit.diff)
        if pair:
            yield pair


def _answer_pairs(mirrors: Mirrors) -> Iterator[Pair]:
    """Questions on health and their answers; the answers of one file are each other's hard negatives."""
    for _, text in read_all(mirrors, ANSWERS.repository, paths(mirrors, ANSWERS)):
        try:
            found = [
                (pair.findtext("Question"), pair.findtext("Answer"))
                for pair in ElementTree.fromstring(text).iter("QAPair")
            ]
        except ElementTree.ParseError:
            continue
        answered = [
            (question.strip(), shortened(_spaced(answer), LONGEST_PASSAGE))
            for question, answer in found
            if question and answer
        ]
        for question, answer in answered:
            others = tuple(other for _, other in answered if other != answer)[:NEGATIVES]
            if len(answer) > 80:
                yield training_pair(ANSWERS.repository, "faq", question, answer, others)


def _spaced(text: str) -> str:
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"[ \t]+", " ", text)).strip()


def _drawn(found: Sequence[Pair], limit: int) -> list[Pair]:
    """At most `limit` pairs, one for each question and each passage."""
    once: dict[str, Pair] = {}
    passages: set[str] = set()
    for pair in found:
        if pair.passage not in passages:
            passages.add(pair.passage)
            once.setdefault(pair.question, pair)
    kept = list(once.values())
    return kept if len(kept) <= limit else random.Random(SEED).sample(kept, limit)


if __name__ == "__main__":
    run(pairs, known_negatives=True)
