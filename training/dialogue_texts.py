"""Texts without labels for distillation: what people say (`["p", text]`) and what they ask (`["q", text]`).

    python -m training.dialogue_texts --mirrors DIR --data DIR --out texts.jsonl.xz

Nothing of the parts set aside for development and tests, and nothing of the source that is not trained on, is written.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from training.dialogue_pairs import LONGEST_PASSAGE, SEED, all_dialogues, parsed_arguments, usable, write_lines
from training.dialogues import Dialogue
from training.sources import Mirrors

FRIENDS_SCRIPTS, TASKMASTER = "emorynlp/character-mining", "google-research-datasets/Taskmaster"
MEMORY_BANK = "zhongwanjun/MemoryBank-SiliconFriend"
MOST_TEXTS = 200_000
MOST_OF_SOURCE = 20_000
_WORDS = re.compile(r"[A-Za-z]{2,}")

Labelled = tuple[str, str, str]  # source, "p" or "q", text


def of_dialogues(dialogues: Iterable[Dialogue]) -> Iterator[Labelled]:
    """The turns and questions of training dialogues."""
    for dialogue in dialogues:
        if dialogue.part != "train":
            continue
        for turn in dialogue.turns:
            yield dialogue.source, "p", turn.written()
            if turn.text.endswith("?") and len(turn.text) < 200:
                yield dialogue.source, "q", turn.text
        for question in dialogue.questions:
            yield dialogue.source, "q", question.text


def friends_scripts(mirrors: Mirrors) -> Iterator[Labelled]:
    """The tenth season, which FriendsQA does not use."""
    for episode in mirrors.json(FRIENDS_SCRIPTS, "json/friends_season_10.json")["episodes"]:
        for scene in episode["scenes"]:
            for line in scene["utterances"]:
                if line["speakers"] and line["transcript"]:
                    yield FRIENDS_SCRIPTS, "p", f"{', '.join(line['speakers'])}: {line['transcript']}"


def taskmaster(mirrors: Mirrors) -> Iterator[Labelled]:
    """Orders of drinks by voice."""
    for path in mirrors.files(TASKMASTER, "TM-4-2024/data/"):
        for conversation in mirrors.json(TASKMASTER, path):
            for line in conversation["utterances"]:
                yield TASKMASTER, "q" if line["text"].endswith("?") else "p", line["text"]


def memory_bank(mirrors: Mirrors) -> Iterator[Labelled]:
    """Ten days of fifteen people's talk with a companion."""
    for name, person in mirrors.json(MEMORY_BANK, "eval_data/en/memory_bank_en.json").items():
        for day in person["history"].values():
            for exchange in day:
                yield MEMORY_BANK, "p", f"{name}: {exchange['query']}"
                yield MEMORY_BANK, "p", f"Assistant: {exchange['response']}"


def selected(texts: Iterable[Labelled]) -> list[Labelled]:
    """Each text once, no source above its limit, in an order fixed by the seed."""
    chance = random.Random(SEED)
    by_source: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    for source, use, text in texts:
        text = " ".join(text.split())[:LONGEST_PASSAGE]
        if usable(text) if use == "q" else len(_WORDS.findall(text)) >= 4:
            by_source[source][use, text] = None
    chosen: list[Labelled] = []
    for source, unique in sorted(by_source.items()):
        kept = chance.sample(list(unique), min(MOST_OF_SOURCE, len(unique)))
        chosen += [(source, use, text) for use, text in kept]
    chance.shuffle(chosen)
    return chosen[:MOST_TEXTS]


def all_texts(mirrors: Mirrors, dialogue_qa_folder: Path) -> Iterator[Labelled]:
    yield from of_dialogues(all_dialogues(mirrors, dialogue_qa_folder))
    yield from friends_scripts(mirrors)
    yield from taskmaster(mirrors)
    yield from memory_bank(mirrors)


def main() -> None:
    options = parsed_arguments(__doc__).parse_args()
    texts = selected(all_texts(Mirrors(options.mirrors), options.data / "dialogue-qa"))
    write_lines(options.out, ([use, text] for _, use, text in texts))
    for (source, use), count in sorted(Counter((source, use) for source, use, _ in texts).items()):
        print(f"{source:50} {use} {count:7,}")


if __name__ == "__main__":
    main()
