"""Questions of public sets: how formats are read, which passages are right and wrong, and what is taken."""

import json
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from training.answer_pages import Pages, faq_sections
from training.answer_pairs import collected, row
from training.answer_reading import Answer, Question, distinct, reading
from training.answer_sets import AnswerSet, qamr, squad
from training.answer_texts import LONGEST, Context, RareWords, chunks, draw_for, opening, sentence_spans, shortened
from training.sources import Mirrors, sources

from training import sources as module

REPOSITORY, QAMR = "owner/name", "uwnlp/qamr"
ROOM = "The kitchen has a blue door. Dr. Miller painted the garden wall in May. The cellar is cold and damp in winter."
ARTICLES = {
    "data": [
        {
            "paragraphs": [
                {
                    "context": ROOM,
                    "qas": [
                        {"question": "Who painted the wall? ", "answers": [{"text": "Dr. Miller", "answer_start": 29}]},
                        {
                            "question": "Who painted the cellar?",
                            "is_impossible": True,
                            "plausible_answers": [{"text": "Dr. Miller", "answer_start": 29}],
                        },
                        {"question": "Who painted the roof?", "answers": []},
                    ],
                }
            ]
        }
    ]
}
PAGE = """---
title: Backups
---
# Backups

A backup is a full copy of the files of one project at one point in time.

## How do I restore a backup?

Open the **menu**, choose [Restore](restore.md) and pick the day. The project is unavailable until the copy is complete.

```
# Is this a heading?
```

## Limits

| size | 5 |
Backups over five gigabytes are split into several archives of equal size.
"""
FAQ = """### YamlMime:FAQ
  - question: |
      "Is it free?"
    answer: |
      Yes.
  - question: Why?
    answer: So.
"""
ANNOTATED = """#Wiki:1:0
The red fox crossed the frozen river near Oslo .
Where did the fox cross the river ?\tOslo\tnear Oslo
Where did it cross the river ?\tOslo
"""
SENTENCES = "Wiki:1:0\tThe red fox crossed the frozen river near Oslo .\nWiki:1:1\tWolves avoid the river in spring .\n"
FILES = {
    "squad.json": json.dumps(ARTICLES),
    "docs/page.md": PAGE,
    "docs/plain.md": "Does a page without headings ask anything?",
    "data/wiki-sentences.tsv": SENTENCES,
    "data/readable/dev.tsv": ANNOTATED,
    "data/readable/test.tsv": "",
}


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a clone of a small repository that has files of several formats, under two names."""
    folder = tmp_path_factory.mktemp("mirrors")
    work = folder / "owner+name"
    for name, content in FILES.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(content, encoding="utf-8")
    git = ["git", "-C", str(work), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True)
    (folder / "uwnlp+qamr").symlink_to(work)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    entry = {"commit": commit, **dict.fromkeys(("licence", "stated_in", "used", "attribution"), "a")}
    (folder / "sources.json").write_text(json.dumps([{"repository": name, **entry} for name in (REPOSITORY, QAMR)]))
    return folder


@pytest.fixture
def mirrors(clones: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirrors]:
    monkeypatch.setattr(module, "SOURCES", clones / "sources.json")
    sources.cache_clear()
    yield Mirrors(clones)
    sources.cache_clear()


def test_squad_gives_answered_and_unanswerable_questions(mirrors: Mirrors) -> None:
    answered, impossible = squad(mirrors, REPOSITORY, "squad.json")
    assert answered
    assert impossible
    assert answered.text == "Who painted the wall?"
    assert "Dr. Miller painted" in answered.right[0]
    assert answered.wrong
    assert not any("Miller" in text for text in answered.wrong)
    assert impossible.right == []
    assert "Dr. Miller painted" in impossible.wrong[0]


def test_only_reworded_questions_are_taken_if_there_are_other_wordings(mirrors: Mirrors) -> None:
    said = {"Who painted the wall?": "Who built no painted the wall?"}
    (found,) = squad(mirrors, REPOSITORY, "squad.json", reworded=said)
    assert found
    assert found.text == "Who built no painted the wall?"


def test_a_heading_that_asks_is_answered_by_its_section(mirrors: Mirrors) -> None:
    (found,) = Pages(REPOSITORY, "en", "docs/", (".md",)).questions(mirrors)
    assert found.text == "How do I restore a backup?"
    assert found.right == [
        "Open the menu, choose Restore and pick the day. The project is unavailable until the copy is complete."
    ]
    assert sorted(found.wrong) == [
        "A backup is a full copy of the files of one project at one point in time.",
        "Backups over five gigabytes are split into several archives of equal size.",
    ]


def test_frequent_questions_in_yaml_are_sections() -> None:
    assert faq_sections(FAQ) == [("Is it free?", "Yes."), ("Why?", "So.")]


def test_questions_on_a_sentence_must_be_clear_without_it(mirrors: Mirrors) -> None:
    (found,) = qamr(mirrors)
    assert found == Question(
        "Where did the fox cross the river ?",
        ["The red fox crossed the frozen river near Oslo ."],
        ["Wolves avoid the river in spring."],
    )


def test_an_answer_is_found_as_whole_words_near_the_words_of_the_question() -> None:
    text = "In 1862 she moved. " + "x" * 200 + ". The fleet had 62 ships. " + "y" * 200 + ". She was 62 years old."
    found = reading("How many ships had the fleet?", text, [Answer("62")])
    assert found
    assert "The fleet had 62 ships." in found.right[0]
    assert reading("How many ships had the fleet?", text, [Answer("six")]) is None


def test_sentences_do_not_end_at_abbreviations() -> None:
    text = "Dr. Miller left. He came back!\nThen he slept"
    assert [text[slice(*span)] for span in sentence_spans(text)] == [
        "Dr. Miller left.",
        "He came back!",
        "Then he slept",
    ]


def test_a_sentence_with_a_pronoun_comes_with_the_one_before() -> None:
    context = Context("Ann moved to Oslo. She likes it.")
    assert context.passage(1, draw_for("a")) == "Ann moved to Oslo. She likes it."
    assert context.passage(1, draw_for("a"), without=["Oslo"]) == "She likes it."


def test_passages_are_short_and_keep_what_they_are_about() -> None:
    long = "word " * 100 + "needle " + "word " * 100
    assert "needle" in shortened(long, long.index("needle"))
    sentences = "This is a sentence of some length. " * 40
    for text in (shortened(long, 500), opening(sentences), *chunks(sentences)):
        assert len(text) <= LONGEST
    assert "".join(chunks(sentences)).count("sentence") == 40


def test_texts_with_rare_words_of_the_question_are_nearest() -> None:
    texts = RareWords(["the boat sails", "the car drives", "a boat with a red keel"])
    assert texts.nearest("Which boat has a keel?", 2) == ["a boat with a red keel", "the boat sails"]


def test_questions_and_passages_are_taken_once() -> None:
    once = Question("Who?", ["Ann."], ["Bob."])
    found = distinct(
        [Question("Who?", ["Ann.", "Ann.", ""], ["Bob.", "Ann.", "Bob."]), None, once, Question("What?", [], [""])]
    )
    assert list(found) == [once]


def test_large_sets_are_limited_to_the_same_draw_every_time(mirrors: Mirrors) -> None:
    def many(_: Mirrors) -> Iterator[Question]:
        return (Question(f"Which is {n}?", [str(n)], []) for n in range(50))

    few = partial(squad, repository=REPOSITORY, path="squad.json")
    sets = (AnswerSet("many", (REPOSITORY,), many, most=20), AnswerSet("few", (REPOSITORY,), few, most=20))
    found = list(collected(mirrors, sets))
    names = [name for name, _ in found]
    assert (names.count("many"), names.count("few")) == (20, 2)
    assert list(collected(mirrors, sets)) == found


def test_a_row_names_its_set() -> None:
    assert row("few", Question("Qui ?", ["Anne."], ["Paul."], "fr")) == {
        "set": "few",
        "q": "Qui ?",
        "pos": ["Anne."],
        "neg": ["Paul."],
        "lang": "fr",
    }
