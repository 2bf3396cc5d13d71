"""Cuts documentation into sections, and turns a heading into what a reader would ask."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_SECTION = 1_500
_MARKUP = (
    (re.compile(r"\A---\n.*?\n---\n", re.S), ""),  # front matter
    (re.compile(r"<!--.*?-->", re.S), " "),
    (re.compile(r"\{% data variables\.[\w.]*prodname_\w+ %\}"), "GitHub"),
    (re.compile(r"\{%.*?%\}|\{\{<.*?>\}\}|\{\{%.*?%\}\}|\{\{.*?\}\}", re.S), ""),  # Liquid and Hugo
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]\n]+)\]\([^)\n]*\)"), r"\1"),
    (re.compile(r":[a-z:+-]+:`~?([^`<\n]+?)(?: <[^`\n]*>)?`"), r"\1"),  # roles of reStructuredText
    (re.compile(r"`([^`<\n]+) <[^`\n]*>`_+"), r"\1"),
    (re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>"), ""),
    (
        re.compile(
            r"(?m)^\.\. (?:_|\||image|figure|index|toctree|currentmodule|module|versionadded|versionchanged).*$"
        ),
        "",
    ),
    (re.compile(r"(?m)^\.\. ([a-z-]+):: ?"), ""),
    (re.compile(r"(?m)^\s*:[a-zA-Z-]+:.*$"), ""),
    (re.compile(r"\{#[^}\n]*\}"), ""),
    (re.compile(r"\[%[^\]]*%\]"), ""),
    (re.compile(r"[ \t]+\n"), "\n"),
    (re.compile(r"\n{3,}"), "\n\n"),
)
_GENERIC = frozenset(
    """abstract|rationale|motivation|specification|introduction|overview|copyright|references|notes|summary|example|
    examples|drawbacks|alternatives|background|conclusion|details|description|usage|limitations|parameters|options|
    discussion|implementation|history|objectives|prerequisites|prior art|security considerations|goals|non-goals|
    unresolved questions|future possibilities|backwards compatibility|backward compatibility|reference implementation|
    rejected ideas|what's next|further reading|next steps|guide-level explanation|reference-level explanation|see also|
    detailed design|minor features|bugfixes|miscellaneous|new features|cleaning up|before you begin|open issues|
    how to teach this|rationale and alternatives""".replace("\n    ", "").split("|")
)
_IMPERATIVES = frozenset(
    """access add adjust allow apply archive assign attach authenticate authorize automate avoid back browse build call
    cancel change check choose clean clear clone close collect combine compare configure connect control convert copy
    create customize debug declare define delete deploy describe detect disable discover display download drain edit
    embed enable enforce evaluate examine expand explore export expose extend extract filter find fix follow force fork
    format generate get handle hide identify implement import include inspect install integrate invite join label launch
    limit link list load locate lock log make manage map mark measure merge migrate modify monitor mount move name
    navigate open optimize organize override parse pass perform pin plan plot prepare prevent preview profile protect
    provide publish pull push query read rebase receive reconfigure record redirect reduce refer register remove rename
    render reopen reorder replace report request require reset resize resolve restart restore restrict retrieve return
    review revoke roll rotate run save scale schedule search secure select send serve set share show sign sort specify
    split start stop store submit switch sync tag test track transfer translate trigger troubleshoot understand undo
    uninstall unlock update upgrade upload use validate verify view visualize watch work write""".split()
)
_DOUBLING = frozenset("get set run stop put cut drop plan log map tag pin split submit transfer begin debug".split())
_SILENT_E = frozenset(base for base in _IMPERATIVES if base.endswith("e"))


@dataclass(frozen=True)
class Section:
    """One section of a document."""

    title: str
    heading: str
    body: str


def cleaned(text: str) -> str:
    """Without the markup that says nothing."""
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    return text.strip()


def sections(text: str, *, marks: str) -> list[Section]:
    """The sections of a document with Markdown headings (marks "#") or underlined ones (marks "=")."""
    title = _front_title(text) if marks == "#" else ""
    lines = cleaned(text).split("\n")
    found: list[Section] = []
    heading, body = title, []
    for kind, line in _hash_lines(lines) if marks == "#" else _underlined_lines(lines):
        if kind == "text":
            body.append(line)
            continue
        found.append(Section(title, heading, "\n".join(body).strip()))
        heading, body = _plain_heading(line), []
        title = title or heading
    found.append(Section(title, heading, "\n".join(body).strip()))
    return [section for section in found if section.heading and len(section.body) >= 120]


def shortened(body: str, longest: int) -> str:
    """The start of a text, up to the end of a line or sentence."""
    body = re.sub(r"[ \t]{2,}", " ", body).strip()
    if len(body) <= longest:
        return body
    cut = body[:longest]
    end = max(cut.rfind("\n"), cut.rfind(". ") + 1)
    return cut[: end if end > longest // 2 else longest].strip()


def is_question(heading: str) -> bool:
    return heading.endswith("?") and len(heading.split()) >= 3


def questions(section: Section, chance: random.Random) -> str:
    """What someone would ask, or type into a search box, who needs this section."""
    heading = section.heading.rstrip(":.")
    if is_question(section.heading):
        return section.heading
    if heading.lower() in _GENERIC or len(heading.split()) < 2:
        return "" if heading == section.title or not section.title else f"{section.title}: {heading}"
    return chance.choice(list(_phrasings(section.title, heading)))


def _phrasings(title: str, heading: str) -> Iterator[str]:
    first, _, rest = heading.partition(" ")
    verb = _base_of(first.lower())
    small = rest if re.match(r"[A-Z]{2}|\W", rest) else rest[:1].lower() + rest[1:]
    if verb and rest:
        yield f"How do I {verb} {small}?"
        yield f"How can I {verb} {small}?"
        yield f"how to {verb} {rest.lower()}"
        yield f"{verb} {rest.lower()}"
    elif first == "About" and rest:
        yield f"What {'are' if rest.endswith('s') else 'is'} {small}?"
        yield f"Tell me about {small}"
        yield rest
    elif heading.lower().startswith("how "):
        yield heading
        yield heading.lower()
    else:
        yield heading
        yield heading.lower()
        if title and title != heading:
            yield f"{title}: {heading}"
            yield f"{heading} in {title}"


def _base_of(word: str) -> str:
    """The base form of an imperative or a gerund that begins a heading; empty when it is neither."""
    if word in _IMPERATIVES:
        return word
    if not word.endswith("ing") or len(word) < 6:
        return ""
    stem = word[:-3]
    if stem + "e" in _SILENT_E:
        return stem + "e"
    if stem[:-1] in _DOUBLING and stem[-1] == stem[-2]:
        return stem[:-1]
    return stem if stem in _IMPERATIVES else ""


def _front_title(text: str) -> str:
    matter = re.match(r"\A---\n(.*?)\n---\n", text, re.S)
    title = re.search(r"(?m)^title: *[\"']?(.+?)[\"']?\s*$", matter.group(1)) if matter else None
    return cleaned(title.group(1)) if title else ""


def _hash_lines(lines: list[str]) -> Iterator[tuple[str, str]]:
    fenced = False
    for line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        heading = None if fenced else re.match(r"#{1,5} +(.+?)\s*#*$", line)
        yield ("heading", heading.group(1)) if heading else ("text", line)


def _underlined_lines(lines: list[str]) -> Iterator[tuple[str, str]]:
    skip = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if skip:
            skip = False
        elif line.strip() and re.fullmatch(r"([=\-~^\"'*+#])\1{2,}", following) and len(following) >= len(line) - 1:
            skip = True
            yield "heading", line.strip()
        elif not re.fullmatch(r"([=\-~^\"'*+#])\1{3,}", line):
            yield "text", line


def _plain_heading(heading: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[`*]|\[|\](?:\[[^\]]*\])?", "", heading)).strip()
