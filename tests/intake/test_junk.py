from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.reason import Reason
from holdfast.intake.intake_reasons import IntakeCode
from holdfast.intake.junk import why_junk, why_unreadable
from holdfast.interfaces.messages import text_of

LIMIT = 20_000


@pytest.mark.parametrize("text", ["", " ", "\n\t  \n", "\u3000"])
def test_an_empty_text_is_junk(text: str) -> None:
    assert why_junk(text, limit=LIMIT) == Reason.of(IntakeCode.EMPTY)


@pytest.mark.parametrize("text", ["...", "!?", "---", "👍", "🎉🎉", "{}", "…"])
def test_a_text_without_words_is_junk(text: str) -> None:
    assert why_junk(text, limit=LIMIT) == Reason.of(IntakeCode.NO_WORDS)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("PK\x03\x04\0\0\0", IntakeCode.NUL_BYTES),
        ("half a pair \ud83d here", IntakeCode.LONE_SURROGATES),
        ("\x01\x02a\x05\x1fb\x9d", IntakeCode.CONTROL_CHARACTERS),
        ("caf\ufffd \ufffd\ufffd", IntakeCode.REPLACEMENT_CHARACTERS),
    ],
)
def test_what_is_no_text_is_named_for_episodes_and_memories_alike(text: str, code: IntakeCode) -> None:
    assert why_unreadable(text) == Reason.of(code)
    assert why_junk(text, limit=LIMIT) == Reason.of(code)


def test_terminal_output_is_text() -> None:
    assert why_unreadable("\x1b[32mPASS\x1b[0m tests/a.py\r\n\tok") is None


def test_a_text_too_long_says_how_long_it_is() -> None:
    assert why_junk("word " * 5_000, limit=LIMIT) == Reason.of(IntakeCode.TOO_LONG, count=25_000, limit=20_000)
    assert why_junk("one two three four five", limit=23) is None


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "OK.",
        "Thanks!",
        "ok, thanks",
        "ok thanks",
        "great thank you so much",
        "fixed it",
        "Perfect, that fixed it!",
        "merci c'est réglé",
        "done",
        "LGTM 👍",
        "yes and yes",
        "Got it. Thank you so much!",
        "Let me know if you need anything else.",
        "Done! Let me know if you have any questions.",
        "I'm sorry, but as an AI language model I cannot browse the internet.",
        "I’m sorry, but I can't help with that.",
        "I hope this helps!",
        "Merci beaucoup !",
        "D’accord, c'est fait.",
        "N'hésitez pas à me demander si besoin.",
        "Alles klar, danke!",
        "¡Muchas gracias!",
        "Perfeito, obrigado.",
        "Va bene, grazie mille",
        "Спасибо, понятно.",
        "好的，谢谢！",
        "了解しました。ありがとうございます。",
        "네, 감사합니다.",
    ],
)
def test_a_courtesy_is_no_memory_but_may_be_an_episode(text: str) -> None:
    assert why_junk(text, limit=LIMIT) == Reason.of(IntakeCode.COURTESY)
    assert why_unreadable(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "TODO",
        "tbd.",
        "n/a",
        "foo bar",
        "asdf asdf",
        "asdfasdf",
        "test test foo",
        "this is a test",
        "x",
        "42",
        "a b c",
        "Lorem ipsum dolor sit amet, sed",
    ],
)
def test_a_placeholder_is_junk(text: str) -> None:
    assert why_junk(text, limit=LIMIT) == Reason.of(IntakeCode.PLACEHOLDER)


@pytest.mark.parametrize(
    "text",
    [
        "I will now run the tests.",
        "Now let me check the logs",
        "Ok, I'm going to look at the parser first.",
        "Running the tests now.",
        "Je vais maintenant lancer les tests.",
    ],
)
def test_an_announcement_of_the_next_step_is_junk(text: str) -> None:
    assert why_junk(text, limit=LIMIT) == Reason.of(IntakeCode.ANNOUNCEMENT)


@pytest.mark.parametrize(
    "text",
    ["I will run the marathon in May.", "I'm going to open a bakery this summer.", "Je vais ouvrir un café en juin."],
)
def test_a_plan_with_a_date_is_no_junk(text: str) -> None:
    assert why_junk(text, limit=1_000) is None


@pytest.mark.parametrize("text", ["ok thanks", "asdf asdf", "I will now run the tests.", "npm notice New version"])
def test_a_person_who_insists_overrides_the_verdict(text: str) -> None:
    assert why_junk(text, limit=LIMIT) is not None
    assert why_junk(text, limit=LIMIT, force=True) is None


@pytest.mark.parametrize("text", ["", "...", "PK\x03\x04\0\0\0", "word " * 5_000])
def test_insisting_does_not_make_words_of_what_has_none(text: str) -> None:
    assert why_junk(text, limit=LIMIT, force=True) is not None


@pytest.mark.parametrize(
    "text",
    [
        "[secret:jwt]",
        "password: [secret:password]",
        "API_KEY=[secret:openai-key]",
        "My token is [secret:github-token].",
    ],
)
def test_a_secret_with_nothing_around_it_is_junk(text: str) -> None:
    assert why_junk(text, limit=LIMIT) == Reason.of(IntakeCode.ONLY_SECRETS)


@pytest.mark.parametrize(
    "text",
    [
        "npm WARN deprecated glob@7.2.3: no longer supported\nnpm WARN deprecated rimraf@3.0.2: no longer supported",
        "npm notice New major version of npm available!",
        "[##########          ] 50%",
        "Downloading model: 45%|████▌     | 45/100 [00:12<00:15]",
        "2024-05-01 10:00:00 INFO starting\n2024-05-01 10:00:01 INFO ready\n2024-05-01 10:00:02 DEBUG tick",
        "Receiving objects: 10%\nReceiving objects: 80%\nResolving deltas: 100%",
    ],
)
def test_progress_and_routine_logs_are_junk(text: str) -> None:
    assert why_junk(text, limit=LIMIT) == Reason.of(IntakeCode.LOG_LINES)


@pytest.mark.parametrize(
    "text", ["aaaaaaa", "no no no no no", "哈哈哈哈", "retry 1\nretry 2\nretry 3\nretry 4\nretry 5"]
)
def test_one_thing_over_and_over_is_junk(text: str) -> None:
    assert why_junk(text, limit=LIMIT) == Reason.of(IntakeCode.REPETITION)


@pytest.mark.parametrize(
    "text",
    [
        "Use tabs",
        "No tabs",
        "Ann likes tea",
        "Fixed fees apply",
        "Let's check in every Monday",
        "I will fix the roof on Friday",
        "Let me run `make lint` before each commit",
        "Bar opens at six",
        "Run the tests before you commit",
        "Great Dane",
        "We test with foo",
        "Postgres",
        "port 5433",
        "1234",
        "数据库用 Postgres",
        "用制表符",
        "タブを使う",
        "탭 사용",
        "Ne jamais forcer un push",
        "Yes, use tabs",
        "Done is better than perfect here: ship weekly",
        "Thanks to the cache, builds take 40 s",
        "Thank you notes go out on Fridays",
        "Let me know if the deploy to eu-west-1 takes over 10 minutes, that is the alarm threshold",
        "OK button must be on the right",
        "Test coverage must stay above 80%",
        "Coverage 80%\nBranches 70%\nLines 90%",
        "Installing the SDK needs a VPN",
        "INFO logs go to stdout",
        "npm is not used here; use pnpm",
        "Lorem is our fixture generator",
        "The staging password [secret:password] is rotated on Mondays",
        "ERROR: relation users does not exist\nERROR: relation carts does not exist\nERROR: relation items is gone",
        "Traceback (most recent call last):\n  File 'a.py', line 1\nValueError: bad port",
        "====================\nRelease on Thursday\n====================",
        "Always pass --no-verify=false",
    ],
)
def test_a_short_fact_passes(text: str) -> None:
    assert why_junk(text, limit=LIMIT) is None


@given(st.text())
def test_any_text_gets_none_or_a_reason_with_a_sentence(text: str) -> None:
    for reason in (why_junk(text, limit=50), why_unreadable(text)):
        assert reason is None or text_of(reason).startswith("the text ")


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=80))
def test_what_is_unreadable_is_junk(text: str) -> None:
    assert why_unreadable(text) is None or why_junk(text, limit=LIMIT) is not None
