"""Conversations of two people, and questions made by rule: of known facts about them, and of what they ask each other.

The people get invented names. What one of them asks the other, told about the other, is answered by the reply.
"""

from __future__ import annotations

import csv
import io
import random
import re
from collections.abc import Iterator
from itertools import pairwise

from training.dialogues import Dialogue, Question, Turn
from training.persona_questions import question_of_fact
from training.replies import question_about
from training.sources import Mirrors
from training.wording import WOMEN, content_words, two_names

PERSONA_CHAT = "google-research-datasets/Synthetic-Persona-Chat"
SELF_DIALOGUES = "jfainberg/self_dialogue_corpus"
_BLANK = re.compile(r"[\[(<]\s*(?:user|your|name|my name|insert)\b", re.IGNORECASE)  # a name that was never filled in


def persona_chat(mirrors: Mirrors) -> Iterator[Dialogue]:
    """People who get to know each other, with facts about each."""
    for part in ("valid", "test"):
        table = csv.DictReader(io.StringIO(mirrors.text(PERSONA_CHAT, f"data/Synthetic-Persona-Chat_{part}.csv")))
        for number, row in enumerate(table):
            dialogue_id = f"persona-chat-{part}-{number}"
            chance = random.Random(dialogue_id)
            names = dict(zip(("User 1", "User 2"), two_names(chance), strict=True))
            lines = (line.split(": ", 1) for line in row["Best Generated Conversation"].splitlines() if ": " in line)
            kept = ((user, text.strip()) for user, text in lines if user in names and not _BLANK.search(text))
            turns = tuple(Turn(names[user], text) for user, text in kept)
            questions = list(replies(turns))
            for user, name in names.items():
                facts = (fact.strip() for fact in row[f"{user.lower()} personas"].splitlines())
                questions += fact_questions([fact for fact in facts if fact], name, turns, chance)
            yield Dialogue(PERSONA_CHAT, dialogue_id, "train", turns, tuple(questions))


def self_dialogues(mirrors: Mirrors) -> Iterator[Dialogue]:
    """Talk about films, music and sports, both sides written by one person."""
    for path in mirrors.files(SELF_DIALOGUES, "corpus/"):
        if not path.endswith(".csv"):
            continue
        for row in csv.DictReader(io.StringIO(mirrors.text(SELF_DIALOGUES, path))):
            numbers = sorted(int(key[15:]) for key in row if re.fullmatch(r"Answer\.sentence\d+", key or ""))
            said = [row[f"Answer.sentence{number}"].strip() for number in numbers]
            dialogue_id = f"self-dialogue-{row['AssignmentId']}"
            names = two_names(random.Random(dialogue_id))
            turns = tuple(Turn(names[at % 2], text) for at, text in enumerate(said) if text and text != "{}")
            if not row.get("Reject"):
                yield Dialogue(SELF_DIALOGUES, dialogue_id, "train", turns, tuple(replies(turns)))


def replies(turns: tuple[Turn, ...]) -> Iterator[Question]:
    """What one person asks the other, if the reply says something."""
    for number, (turn, reply) in enumerate(pairwise(turns), start=1):
        if turn.speaker == reply.speaker or len(content_words(reply.text)) < 2 or reply.text.endswith("?"):
            continue
        question = question_about(turn.text, reply.speaker, reply.speaker in WOMEN)
        if question:
            yield Question(question, (number,), kind="reply")


def fact_questions(facts: list[str], name: str, turns: tuple[Turn, ...], chance: random.Random) -> Iterator[Question]:
    """A question on each fact that one of the person's turns states in mostly the same words."""
    for fact in facts:
        words = content_words(fact)
        told = [turn.text if turn.speaker == name and not turn.text.endswith("?") else "" for turn in turns]
        shares = [len(words & content_words(text)) / max(len(words), 1) for text in told]
        question = question_of_fact(fact, name, name in WOMEN, chance)
        if question and max(shares, default=0.0) >= 0.6:
            yield Question(question, (shares.index(max(shares)),), fact, "fact")
