"""Related terms: words that the store does not contain find what people call it, and nothing else changes."""

from __future__ import annotations

import json

import pytest

from holdfast.recall.query import related_terms as module
from holdfast.recall.query.related_terms import related_terms
from holdfast.text.words import words
from holdfast.workspace import Workspace


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("when do we ship?", "Releases go out every Thursday"),
        ("which package manager?", "Use pnpm in web, never npm"),
        ("is there a rollback?", "To revert a change, tag the old build"),
        ("quand livre-t-on ?", "Releases go out every Thursday"),
        ("quel gestionnaire de paquets ?", "Use pnpm in web, never npm"),
        ("where is the mot de passe?", "The vault keeps every password"),
    ],
)
def test_a_word_that_is_not_stored_finds_a_related_one(ws: Workspace, query: str, text: str) -> None:
    ws.remember(text, type="fact")
    ws.remember("The canteen serves soup at one", type="fact")
    found = ws.recall(query, recipe="keyword", abstain=False)
    assert [hit.text for hit in found.hits] == [text]


def test_a_word_that_is_stored_is_not_extended(ws: Workspace) -> None:
    ws.remember("We ship the parcels at noon", type="fact")
    ws.remember("Releases go out every Thursday", type="fact")
    found = ws.recall("when do we ship?", recipe="keyword", abstain=False)
    assert [hit.text for hit in found.hits] == ["We ship the parcels at noon"]


def test_a_term_of_the_table_is_no_misspelling(ws: Workspace) -> None:
    ws.remember("The shop opens at nine", type="fact")
    assert not ws.recall("ship", recipe="keyword", abstain=False).hits


def test_the_table_is_well_formed() -> None:
    with open(module._FILE, encoding="utf-8") as opened:
        groups = json.load(opened)["groups"]
    assert len(groups) > 150
    for group in groups:
        terms = [term.strip() for term in group.split("|")]
        assert len(terms) == len(set(terms)) >= 2, group
        assert all(term == term.lower() and words(term) for term in terms), group


def test_shorthand_has_its_own_table_which_the_setting_changes() -> None:
    from holdfast.recall.query.shorthand import shorthand

    with open(module._FILE, encoding="utf-8") as opened:
        terms = {term.strip() for group in json.load(opened)["groups"] for term in group.split("|")}
    assert not terms & set(shorthand().meanings)


def test_only_unknown_words_get_variants() -> None:
    variants = related_terms().variants(["ship", "package", "manager"], {"package"})
    assert "npm" in variants["package"]
    assert set(variants) == {"package"}
