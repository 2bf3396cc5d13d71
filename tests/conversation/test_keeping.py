"""What is worth keeping: the forms in which people state what lasts, and small talk."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from bench.conversation.keeping import learn_by_pages
from bench.conversation.kept import forms
from training.fit.keep_pages import LABELS

from holdfast.core.conversation import Learned, Message
from holdfast.learn.keep.keep_features import features, tokens, views
from holdfast.learn.keep.keep_model import KINDS, TalkKind, bundled
from holdfast.learn.keep.rule_extractor import learn
from holdfast.learn.keep.turns import split_into_turns
from holdfast.workspace import Workspace

NOW = datetime(2026, 11, 16, 10, tzinfo=UTC)


def said(*texts: str, answer: str = "Noted.") -> tuple[Learned, ...]:
    turns = [turn for text in texts for turn in (("user", text), ("assistant", answer))]
    return learn([Message(f"m{n}", role, text, NOW) for n, (role, text) in enumerate(turns)])


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("Let's go with FastAPI.", "decision"),
        ("OK let's use Redis for the cache then.", "decision"),
        ("We use Sentry for errors.", "fact"),
        ("Use snake_case for all JSON keys.", "requirement"),
        ("You should run `make lint` before every commit.", "requirement"),
        ("In general ask me before you add a dependency.", "requirement"),
        ("no merges on Friday afternoons", "requirement"),
        ("The root cause was a race in the session cleanup.", "gotcha"),
        ("On part sur Vue plutôt que React.", "decision"),
        ("Demande-moi avant d'ajouter une dépendance.", "requirement"),
        ("Pas de fusion le vendredi après-midi.", "requirement"),
    ],
)
def test_a_statement_is_kept_with_its_type(text: str, type: str) -> None:
    assert [learned.type for learned in said(text)] == [type]


@pytest.mark.parametrize(
    "text", ["No, the upload limit is 25 MB, not 20 MB.", "That's wrong: the API returns 404, not 400."]
)
def test_a_correction_is_kept_as_a_change(text: str) -> None:
    assert [learned.amends for learned in said(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "I'm always here for you, Mel!",
        "Keep it up!",
        "you never know",
        "ok thanks",
        "fixed it",
        "asdf asdf",
        "I will now run the tests.",
        "What a day.",
        "Here is the log: ERROR must always fail at line 3",
        "On ne sait jamais.",
    ],
)
def test_small_talk_is_not_kept(text: str) -> None:
    assert said(text) == ()


@pytest.mark.integration
def test_the_sentences_of_the_development_set_are_judged_right() -> None:
    wrong = [chat.messages[-1].text for chat in forms("dev") if bool(learn(chat.messages)) != chat.labels[0].kept]
    assert len(wrong) <= 3, wrong


def test_a_long_conversation_is_learned_page_by_page_and_each_statement_once() -> None:
    talk = [Message(f"m{n}", "user", f"Rule {n}: never delete table t{n}.", NOW) for n in range(70)]
    quotes = [learned.quote for learned in learn_by_pages(talk)]
    assert len(quotes) == len(set(quotes))


def test_words_are_generalised() -> None:
    assert tokens("Ask Priya about `x.py` and my_file, 3 times!") == (
        ["ask", "NAME", "about", "CODE", "and", "CODE", ",", "#", "times", "!"]
    )


def test_each_sentence_has_features_of_its_neighbours() -> None:
    turns = split_into_turns([Message("m0", "user", "Is it late? Never push to main.", NOW)])
    first, second = features(views(turns))
    assert ": asks" in first
    assert "before : asks" in second
    assert "after : strong" in first


def test_the_shares_of_the_kinds_of_talk_add_up_to_one() -> None:
    for project in (0.0, 0.3, 1.0):
        for flags in range(16):
            kind = TalkKind(project, bool(flags & 1), bool(flags & 2), bool(flags & 4), bool(flags & 8))
            assert len(kind.shares) == len(KINDS)
            assert sum(kind.shares) == pytest.approx(1)


@pytest.mark.parametrize(("answers", "kind"), [(1, "project, chat"), (3, "project, agent")])
def test_many_answers_to_one_message_are_those_of_a_coding_agent(answers: int, kind: str) -> None:
    roles = ["user", *["assistant"] * answers] * 4
    messages = [Message(f"m{n}", role, "Run the tests of the parser.", NOW) for n, role in enumerate(roles)]
    assert KINDS[TalkKind.of(views(split_into_turns(messages)), 1.0).number] == kind


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Écris un test pour les cookies expirés.", False),
        ("Delete the dead code in utils.py.", False),
        ("Ne pousse jamais directement sur main.", True),
        ("The staging database is reset every night at two.", True),
    ],
)
def test_a_single_task_for_an_agent_that_uses_tools_is_no_rule(ws: Workspace, text: str, kept: bool) -> None:
    session = ws.session("s")
    session.say("user", text)
    session.say("assistant", "I'll look at it.")
    session.say("assistant", "Done, the tests pass.", tools=("Edit", "Bash"))
    ws.consolidate()
    assert bool([memory for memory in ws.list() if memory.type != "episode"]) is kept


def test_what_the_assistant_restates_is_likelier_to_be_kept() -> None:
    model = bundled()

    def probability(answer: str) -> float:
        said = ("What are the limits?", "Tell me.", "Uploads end at 20 megabytes.", answer, "Fine.", "Thanks.", "Next.")
        messages = [Message(f"m{n}", "assistant" if n % 2 else "user", text, NOW) for n, text in enumerate(said)]
        return model.judge(views(split_into_turns(messages)))[1].probability

    assert probability("Understood: uploads end at 20 megabytes.") > probability("Let me look at another file.")


def test_the_bundled_model_is_complete() -> None:
    model = bundled()
    assert set(model.labels) == set(LABELS)
    assert len(model.least) == len(KINDS)
    assert all(0.3 <= least < 1 for pair in model.least for least in pair)
