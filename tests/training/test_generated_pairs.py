"""Questions made by rule from turns, and questions that the next turn answers."""

import random

import pytest
from training.answered_questions import answers, asked_in_third_person
from training.conversations import joined
from training.dialogues import Dialogue, Turn
from training.english import GERUNDS, gerund, past, third
from training.generated_pairs import conversation_pairs
from training.statement_questions import questions


def asked(sentence: str, name: str = "Caroline") -> set[str]:
    """Everything that is asked about a sentence, whatever the chance."""
    return {question for seed in range(30) for _, question in questions(sentence, name, True, random.Random(seed))}


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("I went to a support group yesterday.", "When did Caroline go to a support group?"),
        ("Last summer we visited my aunt in Chicago.", "When did Caroline visit her aunt in Chicago?"),
        ("My sister works in Boston.", "Where does Caroline's sister work?"),
        ("I love Thai food!", "What kind of food does Caroline love?"),
        ("I've been playing guitar for two years", "How long has Caroline been playing guitar?"),
        ("I have three dogs", "How many dogs does Caroline have?"),
        ("I have a dog named Rex", "What is the name of Caroline's dog?"),
        ("Yeah, i'm a nurse", "What is Caroline's job?"),
        ("I'm scared of spiders", "What is Caroline scared of?"),
        ("I was born in Texas", "Where was Caroline born?"),
        ("I'm going to Spain next semester", "Where is Caroline going next semester?"),
        ("I watched a thriller with my brother last night", "Who did Caroline watch a thriller with last night?"),
        ("My favorite color is green", "What is Caroline's favorite color?"),
        ("I've never driven a tractor before", "Has Caroline ever driven a tractor before?"),
        ("I really loved Black Panther", "What does Caroline think of Black Panther?"),
        ("I moved to a smaller flat because the rent went up", "Why did Caroline move to a smaller flat?"),
    ],
)
def test_a_statement_is_asked_for_what_it_says(sentence, question):
    found = asked(sentence)
    assert question in found, found


@pytest.mark.parametrize(
    "sentence",
    ["I think so.", "I saw it yesterday", "I love their music", "That is nice", "I know what you mean", "We should go"],
)
def test_a_sentence_that_does_not_stand_alone_is_not_asked_for(sentence):
    assert not asked(sentence)


def test_a_question_to_someone_is_told_in_the_third_person():
    assert asked_in_third_person("Nice! Where did you grow up?", "Maria", True) == "Where did Maria grow up?"
    assert asked_in_third_person("What's your favorite city?", "Omar", False) == "What's Omar's favorite city?"
    assert asked_in_third_person("Do you like your new job?", "Omar", False) == "Does Omar like his new job?"
    assert asked_in_third_person("How are you?", "Omar", False) == ""
    assert asked_in_third_person("Do you like it there?", "Omar", False) == ""


def test_an_answer_says_something():
    assert answers("I grew up in a small town.", "Where did Maria grow up?")
    assert not answers("Which part do you mean?", "Where did Maria grow up?")
    assert not answers("Yes I do", "Does Omar like his new job?")


def test_pairs_take_their_negatives_from_the_same_conversation():
    turns = (
        Turn("Omar", "Where do you work nowadays?"),
        Turn("Maria", "I work at a bakery near the station."),
        Turn("Omar", "I have two cats and a small garden."),
        Turn("Maria", "My brother visited me in March, that was lovely."),
    )
    found = list(conversation_pairs(Dialogue("a/b", "1", "train", turns, ())))
    first = next(pair for pair in found if pair.kind == "asked")
    assert first.question == "Where does Maria work nowadays?"
    assert "Maria: I work at a bakery near the station." in first.passage
    assert first.negatives == ("Maria: My brother visited me in March, that was lovely.",)
    assert first.part == "train"


def test_messages_of_one_person_become_one_turn():
    assert joined([("a", "hi"), ("a", "how are you?"), ("b", "good")]) == [("a", "hi. how are you?"), ("b", "good")]


def test_forms_of_verbs():
    assert [past(verb) for verb in ("go", "stop", "study", "live")] == ["went", "stopped", "studied", "lived"]
    assert [third(verb) for verb in ("go", "watch", "study", "have")] == ["goes", "watches", "studies", "has"]
    assert [gerund(verb) for verb in ("run", "make", "see", "study")] == ["running", "making", "seeing", "studying"]
    assert GERUNDS["swimming"] == "swim"
