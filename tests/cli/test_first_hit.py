"""The sentence at the beginning of search --explain: why the first hit is first."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from holdfast.core.answer import Hit, Recall, StepTrace, Trace, Why
from holdfast.core.memory import Memory
from holdfast.interfaces import language
from holdfast.interfaces.cli.first_hit import why_first
from holdfast.recall.paths import PATHS

VARIANTS = {"prod": ("production",), "pr": ("pull request",)}


def answer(text: str, paths: dict[str, int], words: list[str], evidence: float = 0.9, **fields: Any) -> Recall:
    memory = Memory("mem_1", "fact", text, "p", datetime(2026, 7, 1, tzinfo=UTC), 0.9, **fields)
    trace = Trace(
        "default", (StepTrace("paths", 0, 1, 1.0, {"words": {"found": 1, "words": words, "variants": VARIANTS}}),)
    )
    return Recall("q", (Hit(memory, text, 0.9, Why(paths, {"evidence": evidence})),), trace)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            answer("The kettle whistles at five.", {"words": 1, "meaning": 1}, ["kettle", "whistle", "garden"]),
            "Hit 1 is first (sure): it contains “kettle” and “whistle”, and its meaning is the closest to the query.",
        ),
        (
            answer("The kettle whistles at five.", {"meaning": 3}, ["noise"], evidence=0.5),
            "Hit 1 is first (likely): its meaning is close to the query.",
        ),
        (
            answer("It creaks.", {"words": 2, "time": 1}, ["attic"], evidence=0.1, files=("src/attic.py",)),
            "Hit 1 is first (maybe): it contains “attic”, and it is from the time that the query names.",
        ),
        (
            answer("Round half up", {"graph": 1, "causal": 2}, ["cart"], evidence=0.1),
            "Hit 1 is first (maybe): it is about a file next to one that the query names, and it is about a file used "
            "together with one that the query names.",
        ),
        (
            answer("Pull requests wait for production", {"words": 1}, ["pr", "prod", "main"]),
            "Hit 1 is first (sure): it contains “pull request” and “production”.",
        ),
        (
            answer("It reads qx99zz", {"substring": 1}, ["x99z"], evidence=1.0),
            "Hit 1 is first (sure): it contains the query literally.",
        ),
        (
            answer("getUserName is empty for guests", {"words": 1}, ["getusername", "user", "name"]),
            "Hit 1 is first (sure): it contains “getusername”, “user” and “name”.",
        ),
    ],
)
def test_the_sentence_names_the_paths_and_what_matched(given: Recall, sentence: str) -> None:
    assert why_first(given) == sentence


def test_the_sentence_in_french() -> None:
    given = answer("La bouilloire siffle.", {"words": 1, "meaning": 2}, ["bouilloire", "siffle"], evidence=0.5)
    try:
        language.choose("fr", {})
        said = why_first(given)
    finally:
        language.choose("en", {})
    assert said == (
        "Le résultat 1 est en tête (probable)\u00a0: il contient «\u00a0bouilloire\u00a0» et «\u00a0siffle\u00a0», et "
        "son sens est proche de la requête."
    )


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_every_path_has_its_reason(path: Any) -> None:
    said = why_first(answer("Tea", {path.name: 2}, ["tea"]))
    assert said.startswith("Hit 1 is first (sure): it")
    assert "by the path" not in said, "add the path to _REASONS in interfaces/cli/first_hit.py"


def test_a_path_of_an_extension_is_named() -> None:
    said = why_first(answer("Tea", {"synonym": 1, "words": 2}, ["tea"]))
    assert said == "Hit 1 is first (sure): it contains “tea”, and it was found by the path synonym."


def test_a_memory_with_control_characters_cannot_move_the_cursor() -> None:
    assert "\x1b" not in why_first(answer("\x1b[2J tea", {"words": 1}, ["\x1b[2J", "tea"]))


def test_without_hits_there_is_no_sentence() -> None:
    assert why_first(Recall("q", (), Trace("default"), abstained=True)) == ""


def test_search_with_explain_begins_with_the_sentence(holdfast: Any) -> None:
    holdfast("remember", "Deploys go out on Tuesdays.")
    said = holdfast("search", "when do deploys happen", "--explain").out.splitlines()
    assert said[0].startswith("Hit 1 is first (")
    assert "it contains “deploys”" in said[0]
    assert "Deploys go out on Tuesdays." in said[2]
    misspelt = holdfast("search", "deplyos", "--explain", "--all").out.splitlines()[0]
    assert "it contains “deploys”" in misspelt
    assert holdfast("search", "zeppelin", "--explain").out.startswith("No hits.")
