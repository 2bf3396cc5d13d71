"""Pairs from dialogues: what is taken, what is set aside, and the same result every time."""

import gzip
import hashlib
import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest
from training.chats import PERSONA_CHAT, SELF_DIALOGUES, persona_chat, self_dialogues
from training.dialogue_pairs import NEGATIVES, Pair, pairs_of, selected, unseen_lines, usable
from training.dialogues import (
    FRIENDS,
    MOLWENI,
    QMSUM,
    REALMEM,
    Dialogue,
    Question,
    Turn,
    dialogue_qa,
    friends_training,
    molweni,
    molweni_test,
    part_of,
    realmem,
)
from training.persona_questions import question_of_fact
from training.replies import question_about
from training.sources import Copy, Mirrors, MissingFile, sources
from training.wording import join_tokens, rename

from training import dialogue_texts


class Files(Mirrors):
    """Clones that hold the given files only."""

    def __init__(self, files: dict[tuple[str, str], bytes], ids: dict[str, str] | None = None) -> None:
        super().__init__(Path())
        object.__setattr__(self, "held", files)
        object.__setattr__(self, "ids", ids or {})

    held: dict[tuple[str, str], bytes]
    ids: dict[str, str]

    def read(self, repository: str, path: str, commit: str = "") -> bytes:
        try:
            return self.held[repository, path]
        except KeyError:
            raise MissingFile(path) from None

    def files(self, repository: str, under: str = "") -> list[str]:
        return sorted(path for name, path in self.held if name == repository and path.startswith(under))

    def _git(self, repository: str, *arguments: str) -> bytes:
        return f"100644 blob {self.ids[arguments[-1]]}\t{arguments[-1]}".encode()


def scene(title: str, said: list[tuple[str, str]], question: str, evidence: int, answer: str) -> dict[str, Any]:
    return {
        "title": title,
        "paragraphs": [
            {
                "utterances:": [{"speakers": [speaker], "utterance": text} for speaker, text in said],
                "qas": [{"question": question, "answers": [{"utterance_id": evidence, "answer_text": answer}]}],
            }
        ],
    }


TALK = [
    ("Ross Geller", "I bought a brown leather couch yesterday ."),
    ("Joey Tribbiani", "Did you get the delivery men to carry it ?"),
    ("#NOTE#", "( Joey sits down on the kitchen table . )"),
    ("Ross Geller", "They wanted far too much money for it ."),
]


def friends_file(*scenes: dict[str, Any]) -> bytes:
    return json.dumps({"data": scenes}).encode()


def test_a_pair_is_the_question_its_evidence_and_other_turns_of_the_dialogue():
    turns = tuple(
        Turn(f"Ann {number}", f"We talked about subject number{number} with colleagues") for number in range(12)
    )
    question = Question("Which subject was number4 about?", (4,), "number7")
    (pair,) = pairs_of(Dialogue(FRIENDS, "a", "train", turns, (question,)))
    assert pair.passage == "Ann 4: We talked about subject number4 with colleagues"
    assert len(pair.negatives) == NEGATIVES
    assert pair.passage not in pair.negatives
    assert not any("number7" in text for text in pair.negatives), "a turn that holds the answer is no negative"


@pytest.mark.parametrize(
    ("question", "kept"),
    [("Who is at the door?", True), ("Why ?", False), ("2 + 2 = ?", False), ("why " * 200, False)],
)
def test_junk_is_no_question(question: str, kept: bool):
    assert usable(question) is kept


def test_the_dialogue_decides_the_part(tmp_path: Path):
    ids = [f"friends-dev-{number}" for number in range(40)]
    for name in ids:
        tenth = int(hashlib.sha256(name.encode()).hexdigest(), 16) % 10
        assert part_of(name) == ("test" if tenth < 3 else "development" if tenth == 3 else "train")
    turns = [{"speaker": speaker, "text": text} for speaker, text in TALK]
    with gzip.open(tmp_path / "dialogues.jsonl.gz", "wt") as out:
        for name in ids:
            out.write(json.dumps({"id": name, "source": "friendsqa", "turns": turns}) + "\n")
    with gzip.open(tmp_path / "questions.jsonl.gz", "wt") as out:
        for name in ids:
            question = {"dialogue": name, "question": "What did Ross buy ?", "evidence": [0], "answer": "couch"}
            out.write(json.dumps(question) + "\n")
    read = list(dialogue_qa(tmp_path))
    assert {dialogue.part for dialogue in read} == {"train", "test", "development"}
    for dialogue in read:
        assert dialogue.part == part_of(dialogue.id)
        raw = dialogue.turns[0].text == TALK[0][1]
        assert raw == (dialogue.part != "train"), "what is set aside is left as it is"


def test_a_training_scene_equal_to_one_set_aside_is_left_out():
    other = [("Monica Geller", "Something else entirely was said here .")]
    files = friends_file(
        scene("s01_e01_c01", TALK, "What did Ross buy ?", 0, "couch"),
        scene("s01_e01_c02", other, "What was said here ?", 0, "Something else"),
    )
    mirrors = Files({(FRIENDS, "dat/friendsqa_trn.json"): files})
    left = list(friends_training(mirrors, {tuple(text for _, text in TALK)}))
    assert [dialogue.id for dialogue in left] == ["friends-trn-s01_e01_c02-0"]


def test_names_change_in_turns_and_questions_alike():
    scenes = [scene(f"s01_e01_c{number:02}", TALK, "What did Ross buy ?", 0, "couch") for number in range(20)]
    mirrors = Files({(FRIENDS, "dat/friendsqa_trn.json"): friends_file(*scenes)})
    buyers = set()
    for dialogue in friends_training(mirrors, set()):
        buyer = dialogue.turns[0].speaker.split(" ")[0]
        assert dialogue.questions[0].text == f"What did {buyer} buy?"
        assert dialogue.turns[2].speaker == ""
        buyers.add(buyer)
    assert "Ross" in buyers
    assert len(buyers) > 3


def test_a_missing_file_is_taken_from_a_copy_with_the_same_bytes_only():
    content = friends_file(scene("s01_e01_c01", TALK, "What did Ross buy ?", 0, "couch"))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("data/a.json", content)
    git_id = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    copy = Copy("other/place", "c", "a.zip", "data/a.json")
    held = {("other/place", "a.zip"): archive.getvalue()}
    assert Files(held, {"a.json": git_id}).read_or_copy(FRIENDS, "a.json", copy) == content
    with pytest.raises(MissingFile, match="differs"):
        Files(held, {"a.json": "0" * 40}).read_or_copy(FRIENDS, "a.json", copy)


def chat_file(count: int) -> bytes:
    messages = [("ann", "how do i mount the disk ?"), ("Bob", "edit fstab and then reboot the machine")]
    context = " ".join(f"{speaker}: {text}" for speaker, text in messages)
    start = context.index("fstab")
    asked: list[dict[str, Any]] = [
        {"question": "What should ann really edit ?", "answers": [{"text": "fstab", "answer_start": start}]},
        {"question": "Who is the king ?", "answers": []},
    ]
    entry = {
        "edus": [{"speaker": speaker, "text": text} for speaker, text in messages],
        "qas": [{**question, "is_impossible": not question["answers"]} for question in asked],
    }
    return json.dumps({"data": {"dialogues": [entry] * count}}).encode()


def test_the_message_that_holds_the_span_is_the_evidence():
    (dialogue,) = molweni(Files({(MOLWENI, "MRC(withDiscourse)/train.json"): chat_file(1)}))
    assert [(asked.text, asked.evidence) for asked in dialogue.questions] == [("What should ann really edit?", (1,))]


def test_the_chats_to_measure_on_are_one_long_chat():
    dialogue = molweni_test(Files({(MOLWENI, "MRC(withDiscourse)/test.json"): chat_file(3)}))
    assert dialogue.part == "unseen"
    assert len(dialogue.turns) == 6
    assert [asked.evidence for asked in dialogue.questions] == [(1,), (3,), (5,)]


def test_a_fact_gives_a_question_that_the_person_s_own_turn_answers():
    said = ("1: Hi there!", "2: My favorite color is blue, too.", "1: My favorite color is a deep blue.", "2: Ok.")
    talk = "\n".join(f"User {line}" for line in said)
    table = (
        f'user 1 personas,user 2 personas,Best Generated Conversation\n"My favorite color is blue.","I fly.","{talk}"\n'
    )
    held = {(PERSONA_CHAT, f"data/Synthetic-Persona-Chat_{part}.csv"): table.encode() for part in ("valid", "test")}
    dialogue, _ = persona_chat(Files(held))
    name = dialogue.turns[0].speaker
    assert [(q.text, q.evidence) for q in dialogue.questions] == [(f"What is {name}'s favorite color?", (2,))]


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        ("I live in Ohio.", {"Where does Ana live?"}),
        ("I work as a nurse.", {"What does Ana do for a living?", "What is Ana's job?"}),
        ("I have two dogs.", {"Does Ana have two dogs?", "Who has two dogs?", "How many dogs does Ana have?"}),
        ("I love my garden.", {"Does Ana love her garden?", "Who loves her garden?"}),
        ("The sky, I think, is grey.", {""}),
    ],
)
def test_questions_of_facts(fact: str, expected: set[str]):
    found = {question_of_fact(fact, "Ana", True, random.Random(seed)) for seed in range(40)}
    assert found == expected


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Nice! What do you do for a living?", "What does Omar do for a living?"),
        ("So, what's your favorite book?", "What is Omar's favorite book?"),
        ("Have you ever been to Paris with your sister?", "Has Omar ever been to Paris with his sister?"),
        ("Where are you from?", "Where is Omar from?"),
        ("How are you?", ""),
        ("What do you like about it?", ""),
        ("I went to Paris with my sister.", ""),
        ("Can you help me?", ""),
    ],
)
def test_a_question_to_a_person_becomes_one_about_the_person(asked: str, told: str):
    assert question_about(asked, "Omar", False) == told


def test_the_reply_answers_what_was_asked():
    row = {
        "AssignmentId": "7",
        "Answer.sentence1": "Where do you live now?",
        "Answer.sentence2": "In a small town in Ohio.",
    }
    table = ",".join(row) + ",Reject\n" + ",".join(row.values()) + ",\n"
    (dialogue,) = self_dialogues(Files({(SELF_DIALOGUES, "corpus/films/a.csv"): table.encode()}))
    (pair,) = pairs_of(dialogue)
    name = dialogue.turns[1].speaker
    assert (pair.question, pair.passage) == (f"Where does {name} live now?", f"{name}: In a small town in Ohio.")


def test_the_unseen_source_has_statements_and_no_filler():
    memory = {
        "content": "【Health】 User has had back pain since Monday",
        "source_content_snapshot": "My back hurts a lot since Monday",
        "source_role_snapshot": "User",
    }
    session = {
        "session_identifier": "Fitness:S1",
        "session_uuid": "one",
        "extracted_memory": [memory],
        "dialogue_turns": [
            {"speaker": "Assistant", "content": "How are you today?"},
            {"speaker": "User", "content": "My back hurts a lot since Monday"},
        ],
    }
    filler = {**session, "session_identifier": "Enhanced:S2"}
    content = json.dumps({"dialogues": [filler, session]}).encode()
    (dialogue,) = realmem(Files({(REALMEM, "dataset/Ann_dialogues_256k.json"): content}))
    assert dialogue.part == "unseen"
    assert len(dialogue.turns) == 2
    talk, question = unseen_lines([dialogue])
    assert talk["id"] == question["dialogue"]
    assert (question["question"], question["evidence"]) == ("User has had back pain since Monday", (1,))


def pair(question: str, passage: str, source: str = FRIENDS, part: str = "train") -> Pair:
    return Pair(source, "asked", question, passage, (), part)


def test_repeated_and_ambiguous_questions_are_dropped_and_sources_limited(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("training.dialogue_pairs.MOST_PAIRS", 5)
    pairs = [pair(f"What is number {number}?", str(number)) for number in range(9)]
    pairs += [pair("Where are they?", place) for place in ("here", "there", "elsewhere")]
    pairs += [pair("What is tested?", "x", part="test"), pair("What is tested?", "x", part="test")]
    chosen = selected(pairs)
    assert sum(one.part == "train" for one in chosen) == 5
    assert [one.question for one in chosen if one.part == "test"] == ["What is tested?"]
    assert not any(one.question == "Where are they?" for one in chosen)
    assert chosen == selected(pairs)


def test_texts_are_of_training_dialogues_only_and_each_is_there_once():
    turns = (Turn("Ann", "We went to the lake on Sunday"), Turn("Ann", "Where did you all go swimming?"))
    kept = Dialogue(QMSUM, "a", "train", turns, (Question("Where did Ann swim?", (0,)),))
    aside = Dialogue(QMSUM, "b", "test", (Turn("Bob", "Nobody may learn from this sentence"),), ())
    texts = dialogue_texts.selected(dialogue_texts.of_dialogues([kept, kept, aside]))
    assert sorted((use, text) for _, use, text in texts) == [
        ("p", "Ann: We went to the lake on Sunday"),
        ("p", "Ann: Where did you all go swimming?"),
        ("q", "Where did Ann swim?"),
        ("q", "Where did you all go swimming?"),
    ]


def test_every_repository_that_is_read_is_a_source():
    assert {FRIENDS, QMSUM, MOLWENI, PERSONA_CHAT, REALMEM, SELF_DIALOGUES} <= set(sources())
    others = {dialogue_texts.FRIENDS_SCRIPTS, dialogue_texts.TASKMASTER, dialogue_texts.MEMORY_BANK}
    assert others <= set(sources())


def test_tokens_are_joined_as_people_write():
    assert (
        join_tokens("You 're gon na love it , are n't you ? ( Joey ca n't )")
        == "You're gonna love it, aren't you? (Joey can't)"
    )
    assert rename("Ross and Rossini", {"Ross": "Omar"}) == "Omar and Rossini"
