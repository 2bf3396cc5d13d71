"""Sentences that repeat a text are removed; other sentences stay."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.text.removal import SentenceRemoval

GONE = "The harbour master keeps the spare key under the third stone."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (GONE, ""),
        (f"Gulls nest here. {GONE} Tides turn.", "Gulls nest here. [x] Tides turn."),
        ("Note: the HARBOUR master keeps the spare key under the third stone", ""),
        ("From now on, the harbour master keeps the spare key under that third stone.", ""),
        (
            "first line\nThe harbour master keeps the spare key under the third stone\nlast line",
            "first line\n[x]\nlast line",
        ),
        ("The harbour master keeps the door open.", "The harbour master keeps the door open."),
        ("The harbour is deep.", "The harbour is deep."),
        ("", ""),
    ],
)
def test_the_sentences_that_say_the_same_are_removed(text: str, left: str) -> None:
    clean = SentenceRemoval([GONE], "[x]").clean(text)
    assert clean == (left or ("[x]" if text else ""))


def test_another_number_is_another_statement() -> None:
    removal = SentenceRemoval(["Crane 3 lifts twenty tonnes on the quay."])
    assert removal.clean("Crane 4 lifts twenty tonnes on the quay.") == "Crane 4 lifts twenty tonnes on the quay."
    assert removal.clean("Crane 3 lifts twenty tonnes on the quay today.") == ""


def test_short_texts_are_removed_word_for_word_only() -> None:
    removal = SentenceRemoval(["Tea time."], "[x]")
    assert removal.clean("It is tea time now. Time for tea.") == "[x] Time for tea."


SAFE = "We moved the safe to room zq7."


@pytest.mark.parametrize(
    ("gone", "text", "left"),
    [
        (SAFE, f"[2026-11-19 17:50] {SAFE}", "[x]"),
        (f"2026-11-18: {SAFE}", SAFE, "[x]"),
        ("On 18 November 2026 we moved the safe to room zq7.", SAFE, "[x]"),
        (f"2026-11-18: {SAFE}", "2026-11-17: We moved the boat to pier 9.", "2026-11-17: We moved the boat to pier 9."),
        (f"Tea is ready. {SAFE}", f"I see: {SAFE[:-1]}, then. Gulls.", "[x] Gulls."),
        ("zq7 is the code. Tides turn twice a day.", "Bob says zq7 is the code! Fine.", "[x] Fine."),
        (
            "The codes are:\n- front zq7\n- back zq8",
            "echo 'The codes are:\\n- front zq7\\n- back zq8'",
            "[x]\\n[x]\\n[x]",
        ),
        ("The codes are:\n- front zq7", "- The codes are:<br>- front zq7 <!--abcdefgh-->", "[x]<br>[x]"),
        ("Bread & butter zq7.", "Bread &amp; butter zq7.", "[x]"),
        ("Le café zq est fermé.", "Le cafe\u0301 zq est ferme\u0301.", "[x]"),
        ("1. Boil the kettle zq7. 2. Wait.", "1. Pour it.\n2. Drink it.", "1. Pour it.\n2. Drink it."),
        ("Yes. The key is below zq7.", "Yes, of course. Yes.", "Yes, of course. [x]"),
        (
            "The back door opens with zq7 every day.",
            "The back door opens\nwith zq7 every day. Gulls.",
            "[x]\n[x] Gulls.",
        ),
    ],
)
def test_short_dated_and_broken_sentences_are_removed(gone: str, text: str, left: str) -> None:
    assert SentenceRemoval([gone], "[x]").clean(text) == left


def test_the_beginning_of_a_text_that_was_cut_is_removed() -> None:
    removal = SentenceRemoval(["The spare zq7 of the harbour master is under the third stone."], "[x]")
    assert removal.clean("Stored: new. [Memory #x: The spare zq7 of the har…]\nFine.") == "Stored: new. [x]\nFine."
    assert removal.clean("Stored [Memory #x: My spare zq7 of the harb…]") == "[x]"
    assert removal.clean("The spare boat of the harbour…") == "The spare boat of the harbour…"


def test_a_line_that_cites_an_erased_memory_is_removed() -> None:
    removal = SentenceRemoval(["Hunter2 is the PIN of the office safe."], "[x]", ["gammt5n4"])
    assert removal.clean("a\n- [Memory #gammt5n4: Hunter2 is…] of the safe\nb") == "a\n[x]\nb"
    assert removal.clean("[Memory #gammt5n5: Gulls nest] here") == "[Memory #gammt5n5: Gulls nest] here"


def test_an_item_of_a_page_goes_with_all_its_lines() -> None:
    removal = SentenceRemoval(["Some text."], "[x]", ["gammt5n4"])
    page = "# Memory\n\n- Gulls <!--gammt5n5-->\n- Hunter2 is\n  the PIN <!--gammt5n4-->\n- Tides <!--gammt5n6-->\n"
    assert removal.clean_page(page) == "# Memory\n\n- Gulls <!--gammt5n5-->\n- Tides <!--gammt5n6-->\n"


def test_json_in_json_is_cleaned() -> None:
    removal = SentenceRemoval(["First line zq7.\nSecond line zq8."], "[x]")
    inner = json.dumps([{"type": "text", "text": "Second line zq8."}])
    assert json.loads(json.loads(removal.clean_json(json.dumps({"out": inner})))["out"]) == [
        {"type": "text", "text": "[x]"}
    ]


def test_json_is_cleaned_inside() -> None:
    removal = SentenceRemoval([GONE], "[x]")
    text = json.dumps({"a": [GONE, 3, {"b": f"Gulls. {GONE}"}], "c": "other"})
    assert json.loads(removal.clean_json(text)) == {"a": ["[x]", 3, {"b": "Gulls. [x]"}], "c": "other"}
    assert removal.clean_json('{"c": "other"}') == '{"c": "other"}'
    assert removal.clean_json(f"no json. {GONE}") == "no json. [x]"


texts = st.text(st.sampled_from("ab c.\n!xé"), max_size=30)


@given(st.lists(texts, max_size=3), texts)
def test_nothing_word_for_word_is_left(gone: list[str], text: str) -> None:
    removal = SentenceRemoval(gone)
    clean = removal.clean(text)
    assert not removal.repeats(clean)
    assert removal.clean(clean) == clean
    assert removal.clean("zzz yyy") == "zzz yyy"
