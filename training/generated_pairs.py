"""Pairs from conversations: questions made by rule from what people say, and questions that they ask each other.

python -m training.generated_pairs --mirrors DIR --out generated_pairs.jsonl.xz
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from training.answered_questions import answers, asked_in_third_person
from training.conversations import conversations
from training.dialogue_pairs import Pair
from training.dialogues import Dialogue
from training.pair_files import run, training_pair
from training.sources import Mirrors
from training.statement_questions import questions
from training.wording import WOMEN

SEED = 16
LONGEST_PASSAGE = 420
NEGATIVES = 4
MOST_OF_KIND = 7_000
MOST_OF_SOURCE = 25_000
MOST_OF_FORM = 60  # the most people about whom the same question is asked
_COMMON = frozenset({"who", "did", "mention", "what about", "is", "has"})  # asked less often than what, when and where


def pairs(mirrors: Mirrors) -> Iterator[Pair]:
    """Returns all pairs: a limited number of each kind and source, and each question once."""
    found = [pair for conversation in conversations(mirrors) for pair in conversation_pairs(conversation)]
    random.Random(SEED).shuffle(found)
    kinds: dict[tuple[str, str], int] = {}
    totals: dict[str, int] = {}
    forms: dict[str, int] = {}
    seen: set[str] = set()
    for pair in found:
        kind = (pair.source, pair.kind)
        full = kinds.get(kind, 0) >= MOST_OF_KIND or totals.get(pair.source, 0) >= MOST_OF_SOURCE
        form = re.sub(rf"\b(?:{'|'.join(said_by(pair.passage))})\b|\b(?:her|his)\b", "_", pair.question)
        if pair.question in seen or full or forms.get(form, 0) >= MOST_OF_FORM:
            continue
        seen.add(pair.question)
        forms[form] = forms.get(form, 0) + 1
        kinds[kind] = kinds.get(kind, 0) + 1
        totals[pair.source] = totals.get(pair.source, 0) + 1
        yield pair


def said_by(passage: str) -> list[str]:
    """The names before the colons of a passage."""
    return re.findall(r"(?m)^(\w+):", passage)


def conversation_pairs(conversation: Dialogue) -> Iterator[Pair]:
    """The pairs of one conversation; other turns, first those of the same speaker, are the hard negatives."""
    turns = conversation.turns
    chance = random.Random(f"{SEED} {turns[0].written() if turns else ''} {len(turns)}")
    for number, said in enumerate(turns):
        asked: list[tuple[str, str]] = []
        for sentence in re.split(r"(?<=[.!?])(?<!\b[DMS]r\.)(?<!\bSt\.)(?<!\bMrs\.)\s+", said.text):
            asked += _chosen(questions(sentence, said.speaker, said.speaker in WOMEN, chance), chance)
        for kind, question in asked[:3]:
            yield _pair(conversation, number, f"rule: {kind}", question, chance)
        before = turns[number - 1] if number else None
        if before and before.speaker != said.speaker:
            question = asked_in_third_person(before.text, said.speaker, said.speaker in WOMEN)
            if question and answers(said.text, question):
                yield _pair(conversation, number, "asked", question, chance, with_question=chance.random() < 0.3)


def _chosen(found: list[tuple[str, str]], chance: random.Random) -> list[tuple[str, str]]:
    """One question with a question word where there is one, and sometimes one of the common kinds."""
    asking = [entry for entry in found if entry[0] not in _COMMON]
    common = [entry for entry in found if entry[0] in _COMMON]
    chosen = [chance.choice(asking)] if asking else []
    if common and chance.random() < (0.25 if asking else 0.6):
        chosen.append(chance.choice(common))
    return chosen


def _pair(
    conversation: Dialogue,
    number: int,
    kind: str,
    question: str,
    chance: random.Random,
    *,
    with_question: bool = False,
) -> Pair:
    turns = conversation.turns
    said = turns[number]
    passage = said.written()[:LONGEST_PASSAGE]
    if with_question:
        passage = f"{turns[number - 1].written()}\n{passage}"[:LONGEST_PASSAGE]
    others = [turn for place, turn in enumerate(turns) if abs(place - number) > 1 and len(turn.text) > 20]
    own = [turn.written() for turn in others if turn.speaker == said.speaker]
    rest = [turn.written() for turn in others if turn.speaker != said.speaker]
    chance.shuffle(own)
    chance.shuffle(rest)
    negatives = tuple(text[:LONGEST_PASSAGE] for text in [*own[: NEGATIVES - 1], *rest][:NEGATIVES])
    return training_pair(conversation.source, kind, question, passage, negatives)


if __name__ == "__main__":
    run(pairs)
