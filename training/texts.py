"""Texts without labels, from which a smaller model learns a larger one's vectors: passages ("p") and queries ("q").

python -m training.texts --mirrors DIR --out texts.jsonl.xz
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from training.conversations import conversations
from training.dialogues import Dialogue
from training.document_pairs import CODE, COMMITS, DOCUMENTS, Reading, documents, paths
from training.functions import functions, search_query
from training.git_batch import commits, read_all
from training.held_out import HeldOut
from training.pair_files import arguments, report, write_lines
from training.sections import LONGEST_SECTION, Section, questions, sections, shortened
from training.sources import Mirrors

SEED = 15
FRENCH = (
    Reading("kubernetes/website", "content/fr/docs/", (".md",), 3_000),
    Reading("fastapi/fastapi", "docs/fr/docs/", (".md",), 1_000),
)
TRANSLATION = Reading("python/python-docs-fr", "", (".po",), 14_000)
CHAT = Reading("jkkummerfeld/irc-disentanglement", "data/", (".ascii.txt",), 35_000)
MOST_OF = {"conversation": 210_000, "section": 26_000, "function": 16_000, "commit": 8_000}
MOST_SENTENCES = 70_000
Text = tuple[str, str, str]  # kind of source, "p" or "q", text


def texts(mirrors: Mirrors) -> Iterator[Text]:
    """All texts; each source is cut to its share afterwards."""
    chance = random.Random(SEED)
    for conversation in conversations(mirrors):
        yield from conversation_texts(conversation, chance)
    for reading in (*DOCUMENTS, *FRENCH):
        for text in documents(mirrors, reading):
            yield from document_texts(sections(text, marks=reading.marks), chance)
    for reading in CODE:
        for _, text in read_all(mirrors, reading.repository, paths(mirrors, reading)):
            for function in functions(text):
                yield "function", "p", function.with_docstring
                yield "function", "q", search_query(function, chance)
    for reading in COMMITS:
        for commit in commits(mirrors, reading.repository, reading.limit, every=4):
            yield "commit", "q", commit.subject
    for _, text in read_all(mirrors, TRANSLATION.repository, paths(mirrors, TRANSLATION)):
        yield from translated_texts(text)
    for _, text in read_all(mirrors, CHAT.repository, paths(mirrors, CHAT)):
        yield from chat_texts(text)


def conversation_texts(conversation: Dialogue, chance: random.Random) -> Iterator[Text]:
    """Turns with and without the speaker's name, two turns together, and turns that ask something as queries."""
    turns = conversation.turns
    for number, said in enumerate(turns):
        if len(said.text) < 12:
            continue
        form = chance.random()
        if form < 0.15 and number:
            yield "conversation", "p", f"{turns[number - 1].written()}\n{said.written()}"
        else:
            yield "conversation", "p", said.written() if form < 0.65 else said.text
        if said.text.endswith("?") and chance.random() < 0.5:
            yield "conversation", "q", said.text


def document_texts(found: Iterable[Section], chance: random.Random) -> Iterator[Text]:
    """Sections with and without their heading, and headings as queries."""
    for section in found:
        body = shortened(section.body, LONGEST_SECTION)
        yield "section", "p", f"{section.heading}\n{body}" if chance.random() < 0.6 else body
        question = questions(section, chance)
        if question and chance.random() < 0.5:
            yield "section", "q", question


def translated_texts(text: str) -> Iterator[Text]:
    """The French side of a catalogue of translations."""
    for match in re.finditer(r'(?m)^msgstr ((?:".*"\n?)+)', text):
        french = "".join(re.findall(r'"(.*)"', match.group(1))).replace("\\n", "\n").replace('\\"', '"')
        french = re.sub(r":[a-z:+-]+:`~?!?([^`<]+?)(?: <[^`]*>)?`|`+", lambda role: role.group(1) or "", french)
        if 40 <= len(french) <= LONGEST_SECTION and "Project-Id-Version" not in french:
            yield "french", "p", french


def chat_texts(text: str) -> Iterator[Text]:
    """Messages of a technical chat room."""
    for match in re.finditer(r"(?m)^\[\d\d:\d\d\] <([^>]+)> (.{25,})$", text):
        yield "chat room", "p", f"{match.group(1)}: {match.group(2)}"


def sentences(passages: Iterable[str], chance: random.Random) -> Iterator[Text]:
    """One sentence of a passage, as a query."""
    for passage in passages:
        found = [part.strip() for part in re.split(r"(?<=[.!?])\s+|\n", passage)]
        found = [part for part in found if 25 < len(part) < 200]
        if found:
            yield "sentence", "q", chance.choice(found)


def drawn(found: Iterable[Text]) -> list[Text]:
    """Each text once, and of each kind no more than its share."""
    chance = random.Random(SEED)
    kinds: dict[str, list[Text]] = {}
    for text in dict.fromkeys(found):
        kinds.setdefault(text[0], []).append(text)
    limits = {"french": TRANSLATION.limit, "chat room": CHAT.limit} | MOST_OF
    kept = [text for kind, those in kinds.items() for text in chance.sample(those, min(len(those), limits[kind]))]
    passages = [text for _, role, text in kept if role == "p"]
    chosen = chance.sample(passages, min(len(passages), MOST_SENTENCES))
    return list(dict.fromkeys([*kept, *sentences(chosen, chance)]))


def main() -> None:
    given = arguments()
    held_out = HeldOut(given.held_out)
    kept = [text for text in drawn(texts(Mirrors(Path(given.mirrors)))) if not held_out.holds(text[2])]
    write_lines(given.out, [json.dumps([role, text], ensure_ascii=False) for _, role, text in kept])
    report(Counter(f"{kind} {role}" for kind, role, _ in kept), given.out)
    print(f"{sum(len(text) for _, _, text in kept) / 1e6:.1f} MB of text")


if __name__ == "__main__":
    main()
