"""Pairs to train on from dialogues: a question, the turn that answers it, and turns of the same dialogue that do not.

    python -m training.dialogue_pairs --mirrors DIR --data DIR --out pairs.jsonl.xz --unseen unseen.jsonl.xz

writes one JSON object per pair, in an order fixed by a seed. `--data` is the folder that holds `dialogue-qa`. The
source that is not trained on is written to `--unseen`, dialogues first, then questions, in the form of `dialogue-qa`.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from training.chats import SELF_DIALOGUES, persona_chat, self_dialogues
from training.dialogues import MOLWENI, QMSUM, Dialogue, Question, asked_dialogues
from training.sources import Mirrors, default_mirrors
from training.wording import content_words

SEED = 14
LONGEST_PASSAGE = 1_200
NEGATIVES = 6
MOST_PAIRS = 15_000  # per source
MOST_OF = {MOLWENI: 8_000, SELF_DIALOGUES: 8_000}  # each about a few subjects, with by far the most questions
MOST_UNSEEN = 750  # per source
_PASSAGES_PER_QUESTION = 2
_DATA = Path(__file__).parents[2] / "shared" / "data"
_LETTERS = re.compile(r"[A-Za-z]{2,}")


@dataclass(frozen=True)
class Pair:
    source: str
    kind: str
    question: str
    passage: str
    negatives: tuple[str, ...]
    part: str


def all_dialogues(mirrors: Mirrors, dialogue_qa_folder: Path) -> Iterator[Dialogue]:
    """Every dialogue with questions, in a fixed order."""
    yield from asked_dialogues(mirrors, dialogue_qa_folder)
    yield from persona_chat(mirrors)
    yield from self_dialogues(mirrors)


def pairs_of(dialogue: Dialogue) -> Iterator[Pair]:
    """The pairs of one dialogue; the choice of negatives depends on its id only."""
    chance = random.Random(f"{SEED} {dialogue.id}")
    written = [turn.written()[:LONGEST_PASSAGE] for turn in dialogue.turns]
    for question in dialogue.questions:
        if not usable(question.text):
            continue
        for number in _best_evidence(question, written, dialogue.source):
            if dialogue.part == "train" and _doubtful(question, number, dialogue, chance):
                continue
            negatives = _negatives(question, written, chance)
            yield Pair(dialogue.source, question.kind, question.text, written[number], negatives, dialogue.part)


def usable(question: str) -> bool:
    """Three words or more, mostly letters, and not so long that it is a text of its own."""
    words = _LETTERS.findall(question)
    return len(words) >= 3 and len(question) <= 400 and sum(map(len, words)) >= 0.5 * len(question)


def _best_evidence(question: Question, written: list[str], source: str) -> list[int]:
    """The turns to learn from: of a long span of a meeting those that share most words with the answer."""
    numbers = [n for n in question.evidence if 0 <= n < len(written) and _says_something(written[n])]
    if source == QMSUM:
        wanted = content_words(question.answer or question.text)
        shared = {number: len(wanted & content_words(written[number])) for number in numbers}
        numbers = sorted((n for n in numbers if shared[n] >= 3), key=lambda number: -shared[number])
    return numbers[:_PASSAGES_PER_QUESTION]


def _doubtful(question: Question, number: int, dialogue: Dialogue, chance: random.Random) -> bool:
    """Most answers in stage directions, which real talk lacks; and a speaker's turn that another turn fits better."""
    speaker = dialogue.turns[number].speaker
    if not speaker:
        return chance.random() < 0.7
    if not question.answer.startswith(speaker):
        return False
    wanted = content_words(question.text)
    fits = [len(wanted & content_words(turn.text)) for turn in dialogue.turns]
    return fits[number] == 0 and max(fits) >= 2


def _says_something(text: str) -> bool:
    return len(content_words(text)) >= 2


def _negatives(question: Question, written: list[str], chance: random.Random) -> tuple[str, ...]:
    """Half of them share most words with the question, half are drawn; none holds the answer's words."""
    answer = " ".join(question.answer.lower().split())
    evidence = {written[number] for number in question.evidence if 0 <= number < len(written)}
    others = [
        text
        for text in dict.fromkeys(written)
        if text not in evidence and _says_something(text) and not (len(answer) > 3 and answer in text.lower())
    ]
    wanted = content_words(question.text)
    near = sorted(others, key=lambda text: -len(wanted & content_words(text)))[: NEGATIVES // 2]
    rest = [text for text in others if text not in near]
    return (*near, *chance.sample(rest, min(NEGATIVES - len(near), len(rest))))


def selected(pairs: Iterable[Pair]) -> list[Pair]:
    """Without repeated or ambiguous questions, no source above its limit, in an order fixed by the seed."""
    by_question: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_question[pair.question.lower()].append(pair)
    by_source: dict[str, list[Pair]] = defaultdict(list)
    for same in by_question.values():
        passages = {pair.passage: pair for pair in reversed(same)}
        if len(passages) <= _PASSAGES_PER_QUESTION:  # asked in several dialogues: it does not say which one is meant
            for pair in passages.values():
                by_source[pair.source].append(pair)
    chance = random.Random(SEED)
    chosen: list[Pair] = []
    for source in sorted(by_source):
        of_source = sorted(by_source[source], key=lambda pair: (pair.part != "train", pair.question, pair.passage))
        training = [pair for pair in of_source if pair.part == "train"]
        limit = MOST_OF.get(source, MOST_PAIRS)
        chosen += chance.sample(training, limit) if len(training) > limit else training
        chosen += [pair for pair in of_source if pair.part != "train"]
    chance.shuffle(chosen)
    return chosen


def unseen_lines(dialogues: Iterable[Dialogue]) -> Iterator[dict[str, Any]]:
    """Dialogues to measure on, and at most MOST_UNSEEN questions of each of their sources."""
    questions: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for dialogue in dialogues:
        turns = [{"speaker": turn.speaker, "text": turn.text[:LONGEST_PASSAGE]} for turn in dialogue.turns]
        yield {"id": dialogue.id, "source": dialogue.source, "turns": turns}
        for number, question in enumerate(dialogue.questions):
            if usable(question.text):
                line = {"id": f"{dialogue.id}-{number}", "dialogue": dialogue.id, "question": question.text}
                questions[dialogue.source].append({**line, "evidence": question.evidence})
    for source in sorted(questions):
        of_source = questions[source]
        yield from random.Random(SEED).sample(of_source, min(MOST_UNSEEN, len(of_source)))


def write_lines(path: Path, lines: Iterable[Any]) -> None:
    with lzma.open(path, "wt", encoding="utf-8", preset=9) as out:
        out.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def parsed_arguments(description: str | None) -> argparse.ArgumentParser:
    """The options that all programs on dialogues have."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    mirrors = default_mirrors()
    parser.add_argument("--mirrors", type=Path, default=mirrors, required=mirrors is None, help="folder of clones")
    parser.add_argument("--data", type=Path, default=_DATA, help="folder of the data sets")
    parser.add_argument("--out", type=Path, required=True, help="file to write (.jsonl.xz)")
    return parser


def main() -> None:
    parser = parsed_arguments(__doc__)
    parser.add_argument("--unseen", type=Path, help="file for the source that is not trained on (.jsonl.xz)")
    options = parser.parse_args()
    dialogues = list(all_dialogues(Mirrors(options.mirrors), options.data / "dialogue-qa"))
    pairs = selected(pair for dialogue in dialogues if dialogue.part != "unseen" for pair in pairs_of(dialogue))
    write_lines(options.out, map(asdict, pairs))
    counts = Counter((pair.source, pair.part) for pair in pairs)
    for (source, part), count in sorted(counts.items()):
        print(f"{source:45} {part:12} {count:7,}")
    if options.unseen:
        lines = list(unseen_lines(dialogue for dialogue in dialogues if dialogue.part == "unseen"))
        write_lines(options.unseen, lines)
        print(f"{'unseen':45} {'questions':12} {sum('question' in line for line in lines):7,}")


if __name__ == "__main__":
    main()
