"""Dialogues of public sources in one form: turns, and questions with the turns that answer them.

One function per source. FriendsQA (development and test file) and QMSum come from the folder `dialogue-qa`, whose
dialogue ids decide what is set aside for tests; everything else is read from clones (see sources.py).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from training.sources import Copy, Mirrors
from training.wording import MEN, WOMEN, join_tokens, rename

FRIENDS, QMSUM, MOLWENI = "emorynlp/FriendsQA", "Yale-LILY/QMSum", "HIT-SCIR/Molweni"
REALMEM = "AvatarMemory/RealMemBench"
_CARRIER, _CARRIER_COMMIT = "EricLee8/Multi-party-Dialogue-MRC", "3a86697de0e2e71cbf19b873f54e97b91b85b19a"
_HEADING = re.compile(r"^【[^】]*】")
_SOUND = re.compile(r"\{(?:vocalsound|disfmarker|pause|gap|nonvocalsound)\}")  # marks in transcripts of meetings
# The names of the main characters of Friends, with the short forms that they call each other.
_FRIENDS_WOMEN = {"Monica": ("Mon",), "Rachel": ("Rach",), "Phoebe": ("Pheebs",)}
_FRIENDS_MEN = {"Ross": (), "Chandler": (), "Joey": ("Joe",)}


@dataclass(frozen=True)
class Turn:
    speaker: str
    text: str

    def written(self) -> str:
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


@dataclass(frozen=True)
class Question:
    text: str
    evidence: tuple[int, ...]
    answer: str = ""
    kind: str = "asked"


@dataclass(frozen=True)
class Dialogue:
    """`part` is train, development or test; `unseen` for a source of which nothing is trained on."""

    source: str
    id: str
    part: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def part_of(dialogue_id: str) -> str:
    """The part of a dialogue of the folder dialogue-qa: 3 of 10 are for tests, 1 of 10 for development."""
    tenth = int(hashlib.sha256(dialogue_id.encode()).hexdigest(), 16) % 10
    if tenth in (0, 1, 2):
        return "test"
    return "development" if tenth == 3 else "train"


def dialogue_qa(folder: Path) -> Iterator[Dialogue]:
    """FriendsQA (development and test file) and QMSum; training dialogues are written as people write."""
    questions: dict[str, list[Question]] = {}
    for entry in _json_lines(folder / "questions.jsonl.gz"):
        question = Question(entry["question"], tuple(entry["evidence"]), str(entry.get("answer") or ""))
        questions.setdefault(entry["dialogue"], []).append(question)
    for entry in _json_lines(folder / "dialogues.jsonl.gz"):
        turns = tuple(Turn(turn["speaker"], turn["text"]) for turn in entry["turns"])
        source = FRIENDS if entry["source"] == "friendsqa" else QMSUM
        asked = tuple(questions.get(entry["id"], ()))
        dialogue = Dialogue(source, entry["id"], part_of(entry["id"]), turns, asked)
        yield _as_written(dialogue) if dialogue.part == "train" else dialogue


def friends_training(mirrors: Mirrors, set_aside: set[tuple[str, ...]]) -> Iterator[Dialogue]:
    """The training file of FriendsQA, without scenes whose turns equal one of `set_aside`."""
    copy = Copy(_CARRIER, _CARRIER_COMMIT, "friendsqa/data.zip", "data/friendsqa_trn.json")
    for scene in json.loads(mirrors.read_or_copy(FRIENDS, "dat/friendsqa_trn.json", copy))["data"]:
        for number, paragraph in enumerate(scene["paragraphs"]):
            said = paragraph.get("utterances:") or paragraph["utterances"]
            turns = tuple(Turn(", ".join(entry["speakers"]), entry["utterance"]) for entry in said)
            if tuple(turn.text for turn in turns) in set_aside:
                continue
            questions = tuple(_friends_question(entry) for entry in paragraph["qas"])
            yield _as_written(Dialogue(FRIENDS, f"friends-trn-{scene['title']}-{number}", "train", turns, questions))


def _friends_question(entry: dict[str, Any]) -> Question:
    answers = entry["answers"]
    evidence = tuple(sorted({answer["utterance_id"] for answer in answers}))
    answer = answers[0]["answer_text"] if answers else ""
    return Question(entry["question"], evidence, answer)


def _as_written(dialogue: Dialogue) -> Dialogue:
    """Without token spaces, marks and notes as speakers; in every second scene of Friends the people get other names.

    Six names in ten thousand questions would teach that names do not tell passages apart.
    """
    names = _new_names(dialogue.id) if dialogue.source == FRIENDS else {}
    turns = tuple(
        Turn(rename(_speaker(turn.speaker, bool(names)), names), rename(join_tokens(_SOUND.sub(" ", turn.text)), names))
        for turn in dialogue.turns
    )
    questions = tuple(
        replace(
            question, text=rename(join_tokens(question.text), names), answer=rename(join_tokens(question.answer), names)
        )
        for question in dialogue.questions
    )
    return replace(dialogue, turns=turns, questions=questions)


def _speaker(speaker: str, first_only: bool) -> str:
    if speaker == "#NOTE#":
        return ""
    return speaker.split(" ", maxsplit=1)[0] if first_only else speaker


def _new_names(dialogue_id: str) -> dict[str, str]:
    chance = random.Random(f"names of {dialogue_id}")
    if chance.random() < 0.5:
        return {}
    women, men = chance.sample(WOMEN, 3), chance.sample(MEN, 3)
    names: dict[str, str] = {}
    for characters, chosen in ((_FRIENDS_WOMEN, women), (_FRIENDS_MEN, men)):
        for (name, short_forms), new in zip(characters.items(), chosen, strict=True):
            names |= dict.fromkeys((name, *short_forms), new)
    return names


def molweni(mirrors: Mirrors) -> Iterator[Dialogue]:
    """Chats about Ubuntu: questions whose answer is a span of one message."""
    copy = Copy(_CARRIER, _CARRIER_COMMIT, "molweni/data.zip", "data/train.json")
    content = mirrors.read_or_copy(MOLWENI, "MRC(withDiscourse)/train.json", copy)
    for number, entry in enumerate(json.loads(content)["data"]["dialogues"]):
        turns, questions = _chat(entry)
        yield Dialogue(MOLWENI, f"molweni-{number}", "train", tuple(turns), tuple(questions))


def _chat(entry: dict[str, Any]) -> tuple[list[Turn], list[Question]]:
    turns: list[Turn] = []
    ends: list[int] = []
    for message in entry["edus"]:
        turns.append(Turn(message["speaker"], join_tokens(message["text"])))
        ends.append((ends[-1] if ends else 0) + len(f"{message['speaker']}: {message['text']} "))
    questions = []
    for asked in entry["qas"]:
        if asked["answers"] and not asked["is_impossible"]:
            answer = asked["answers"][0]
            number = sum(end <= answer["answer_start"] for end in ends)
            if number < len(turns) and _holds(turns[number], answer["text"]):
                questions.append(Question(join_tokens(asked["question"]), (number,), answer["text"]))
    return turns, questions


def _holds(turn: Turn, answer: str) -> bool:
    return "".join(answer.lower().split()) in "".join(turn.text.lower().split())


def molweni_test(mirrors: Mirrors) -> Dialogue:
    """The test file of Molweni as one long chat, to measure on; not unseen for a model trained on `molweni`."""
    turns: list[Turn] = []
    questions: list[Question] = []
    for entry in mirrors.json(MOLWENI, "MRC(withDiscourse)/test.json")["data"]["dialogues"]:
        said, asked = _chat(entry)
        clear = (question for question in asked if len(question.text.split()) >= 5)
        questions += (replace(question, evidence=(question.evidence[0] + len(turns),)) for question in clear)
        turns += said
    return Dialogue(MOLWENI, "molweni-test", "unseen", tuple(turns), tuple(questions))


def realmem(mirrors: Mirrors) -> Iterator[Dialogue]:
    """Ten people's long work with an assistant: statements about a person, and the turn that each was taken from.

    Sessions that were added as filler are left out.
    """
    for path in mirrors.files(REALMEM, "dataset/"):
        if not path.endswith("_dialogues_256k.json"):
            continue
        turns: list[Turn] = []
        questions: dict[int, Question] = {}  # one per turn
        for session in mirrors.json(REALMEM, path)["dialogues"]:
            if session["session_identifier"].startswith("Enhanced"):
                continue
            place = {entry["content"]: len(turns) + at for at, entry in enumerate(session["dialogue_turns"])}
            turns += (Turn(entry["speaker"], entry["content"]) for entry in session["dialogue_turns"])
            for memory in session["extracted_memory"]:
                statement = _HEADING.sub("", str(memory["content"])).strip()
                number = place.get(memory.get("source_content_snapshot") or "")
                if number is not None and memory["source_role_snapshot"] == "User" and len(statement) <= 200:
                    questions.setdefault(number, Question(statement, (number,), kind="statement"))
        yield Dialogue(REALMEM, f"realmem-{Path(path).stem}", "unseen", tuple(turns), tuple(questions.values()))


def asked_dialogues(mirrors: Mirrors, dialogue_qa_folder: Path) -> Iterator[Dialogue]:
    """Every dialogue whose questions people wrote, and those to measure on, in a fixed order."""
    known = list(dialogue_qa(dialogue_qa_folder))
    texts = {
        tuple(turn["text"] for turn in entry["turns"])
        for entry in _json_lines(dialogue_qa_folder / "dialogues.jsonl.gz")
    }
    yield from known
    yield from friends_training(mirrors, texts)
    yield from molweni(mirrors)
    yield molweni_test(mirrors)
    yield from realmem(mirrors)


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
