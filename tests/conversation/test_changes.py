"""Changes of mind in a conversation: corrections, replacements, withdrawals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import holdfast
from holdfast.core.conversation import Learned, Message
from holdfast.intake.message_intake import IncomingMessage
from holdfast.learn.changes.told_changes import Change, find_changes, with_changes
from holdfast.recall.similar import SaidBefore


def changes(*texts: str, known: int = 0) -> tuple[Change, ...]:
    """The changes in a conversation in which the person and the assistant take turns."""
    at = datetime(2026, 3, 2, tzinfo=UTC)
    roles = ("user", "assistant")
    return find_changes([Message(f"m{n}", roles[n % 2], text, at) for n, text in enumerate(texts)], known)


def test_what_known_messages_change_is_left_out() -> None:
    said = ("The review is on Wednesday.", "Fine.", "No, Thursday.", "Fine.", "No, on Friday.")
    first, second = changes(*said)
    assert changes(*said, known=2) == (first, second)
    assert changes(*said, known=3) == (second,)
    assert changes(*said, known=5) == ()


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (("The sprint review takes place on Wednesday.", "So I book it for Wednesday?", "No, Thursday."),
         "The sprint review takes place on Thursday."),
        (("Set the request timeout to 10 seconds.", "Done.", "Actually, make that 20 seconds."),
         "Set the request timeout to 20 seconds."),
        (("Use spaces in Makefiles.", "They usually need tabs, should I still use spaces?", "no, tabs"),
         "Use tabs in Makefiles."),
        (("Indent YAML with four spaces.", "Sure.", "Hmm wait. Two spaces, please, as in the rest."),
         "Indent YAML with two spaces."),
        (("Le cours de danse est le lundi.", "Le lundi ?", "Non, vendredi."), "Le cours de danse est le vendredi."),
        (("Mets le délai d'attente à 10 secondes.", "C'est fait.", "En fait, mets plutôt 20 secondes."),
         "Mets le délai d'attente à 20 secondes."),
        (("I want the dark theme in every chart.", "OK.", "Scrap that about the dark theme, I can't read it."),
         "No longer: I want the dark theme in every chart. — I can't read it."),
        (("The monorepo uses yarn.", "Noted.", "Actually forget yarn, since last sprint it's pnpm."),
         "No longer: The monorepo uses yarn. — since last sprint it's pnpm."),
        (("The admin console listens on port 8443.", "Fine.", "Not port 8443, port 9443."),
         "The admin console listens on port 9443."),
        (("The release owner is Marguerite.", "Noted.", "Not Marguerite but Anselm, sorry."),
         "The release owner is Anselm."),
        (("Backups run at night.", "OK.", "The backup collides with the rebuild. Run it at 4:40 from now on."),
         "The backup collides with the rebuild. — Run it at 4:40 from now on."),
        (("The CSV export uses a semicolon.", "Fine.", "Forget what I said about the semicolon."),
         "No longer: The CSV export uses a semicolon."),
        (("Our default branch is master.", "OK.", "Sorry, I was wrong: the default branch is main."),
         "The default branch is main."),
    ],
)  # fmt: skip
def test_a_change_is_a_statement_of_its_own(said: tuple[str, ...], text: str) -> None:
    (change,) = [change for change in changes(*said) if change.certain]
    assert change.learned.text == text
    assert change.learned.evidence == ("m2",)
    assert change.learned.changes in ("", said[0])


@pytest.mark.parametrize(
    "said",
    [
        ("We deploy on Thursdays.", "OK.", "What would happen if we deployed on Fridays instead?"),
        ("We indent with tabs.", "OK.", "Lena thinks we should use spaces instead of tabs."),
        ("The gateway times out after 30 seconds.", "OK.", "Should we make that 60 seconds?"),
        ("Tier 1 tickets are answered within 4 hours.", "OK.", "Tier 2 tickets are answered within 24 hours."),
        ("Retry failed jobs three times.", "OK.", "And set the job timeout to 90 seconds."),
        ("I play the piano.", "Nice.", "I started playing the cello as well."),
        ("I drink coffee every morning.", "OK.", "Haha, maybe I should drink whisky instead of coffee."),
        ("On garde les sessions dans Redis.", "OK.", "Et si on utilisait Memcached à la place de Redis ?"),
        ("Clean up `675afd8`.", "Done.", "No, 2."),
    ],
)
def test_questions_opinions_and_other_things_change_nothing(said: tuple[str, ...]) -> None:
    assert not [change for change in changes(*said) if change.certain]


def test_a_bare_choice_changes_no_memory() -> None:
    assert changes("Where should it live?", "Option 1 is cleaner. What do you prefer?", "Let's go with option 1.") == ()


@pytest.mark.parametrize("text", ["The wedding was postponed to 21 June.", "We use Vitest instead of Jest these days"])
def test_a_change_of_something_unknown_needs_a_memory(text: str) -> None:
    (change,) = changes(text)
    assert not change.certain


def test_the_assistant_changes_nothing() -> None:
    assert changes("Deploys happen on Tuesday.", "From now on deploys happen on Thursday instead of Tuesday.") == ()


def test_a_learned_statement_keeps_its_type_and_gets_the_new_text() -> None:
    (change,) = changes("Logs are kept for 30 days.", "Right.", "Correction: 14 days.")
    known = Learned("Right. — Correction: 14 days.", "requirement", ("m2",), "Correction: 14 days.", 0.5)
    (found,) = with_changes([known], [change.learned])
    assert (found.text, found.type) == ("Logs are kept for 14 days.", "requirement")
    other = Learned("We use Sentry.", "decision", ("m0",), "We use Sentry.", 0.5)
    assert with_changes([other], [change.learned]) == (other, change.learned)


def test_a_change_within_a_session_retires_the_older_statement(ws: holdfast.Workspace) -> None:
    session = ws.session("s")
    for role, text in (
        ("user", "From now on we always deploy on Tuesdays."),
        ("assistant", "Noted."),
        ("user", "From now on we always deploy on Thursdays instead of Tuesdays."),
    ):
        session.say(role, text)
    ws.consolidate("s")
    memories = [m for m in ws.list(include_forgotten=True) if m.type != "episode"]
    assert {m.content: m.is_current for m in memories} == {
        "From now on we always deploy on Tuesdays.": False,
        "From now on we always deploy on Thursdays instead of Tuesdays.": True,
    }


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("Karl owns the billing service.", "Karl left. Petra owns the billing service now."),
        ("On passe à MongoDB cet été.", "Finalement on reste sur PostgreSQL."),
    ],
)
def test_a_change_of_what_was_said_in_another_session_is_learned(ws: holdfast.Workspace, said: str, later: str) -> None:
    for day, text in enumerate((said, later)):
        ws.session(f"s{day}").say("user", text)
        ws.session(f"s{day}").say("assistant", "Noted.")
        ws.consolidate(f"s{day}")
    newest = [m.content for m in ws.list() if m.type != "episode" and m.session == "s1"]
    assert any(text.rstrip(".").lower() in later.lower() for text in newest)


def test_a_change_of_a_personal_memory_is_personal_too(ws: holdfast.Workspace) -> None:
    for day, text in enumerate(("I work at Siemens as a test engineer.", "I no longer work at Siemens.")):
        ws.session(f"s{day}").say("user", text)
        ws.session(f"s{day}").say("assistant", "Noted.")
        ws.consolidate(f"s{day}")
    memories = [m for m in ws.list(include_forgotten=True) if m.type != "episode"]
    assert {m.content: (m.is_current, m.visibility) for m in memories} == {
        "I work at Siemens as a test engineer.": (False, "personal"),
        "I no longer work at Siemens.": (True, "personal"),
    }


def test_only_what_people_said_before_can_be_changed(ws: holdfast.Workspace) -> None:
    now, hour = ws.container.now(), timedelta(hours=1)
    said = (
        IncomingMessage("user", "Karl owns the billing service.", now - 2 * hour),
        IncomingMessage("assistant", "Karl owns the billing service, noted.", now - hour),
        IncomingMessage("user", "Vera owns the billing service.", now + hour),
    )
    ws.session("s").say_all(said)
    found = SaidBefore(ws.container.store.reading, ws.container.project)
    assert found("Petra owns the billing service now.", now) == ("Karl owns the billing service.",)


def test_rulings_about_numbered_things_stay_side_by_side(ws: holdfast.Workspace) -> None:
    session = ws.session("s")
    session.say("user", "From now on room 12 must be locked at 18:00.")
    session.say("user", "From now on room 14 must be locked at 20:00.")
    ws.consolidate("s")
    assert {memory.content[:19] for memory in ws.list() if memory.type != "episode"} == {
        "From now on room 12", "From now on room 14",
    }  # fmt: skip
    session.say("user", "From now on room 14 must be locked at 21:00.")
    ws.consolidate("s")
    assert len([memory for memory in ws.list() if "room 14" in memory.content and memory.type != "episode"]) == 1
