"""A text that is stored without a type gets the one that its words tell."""

from __future__ import annotations

import pytest

from holdfast import Candidate, Workspace


@pytest.mark.parametrize(
    ("type", "text"),
    [
        ("requirement", "Never commit directly to main"),
        ("requirement", "Always run make lint"),
        ("requirement", "Use tabs only in Makefiles"),
        ("requirement", "Keep functions under 50 lines"),
        ("requirement", "Ne jamais pousser directement sur main"),
        ("requirement", "Il faut valider les entrées côté serveur"),
        ("preference", "I prefer short commit messages"),
        ("preference", "I hate emojis in commit messages"),
        ("preference", "Je n'aime pas les emojis"),
        ("decision", "We chose Postgres because SQLite locks under load"),
        ("decision", "Nous avons choisi Postgres parce que SQLite verrouille"),
        ("gotcha", "The importer fails if the file has a byte-order mark"),
        ("fact", "My name is Bob"),
        ("fact", "Je m'appelle Bob"),
        ("fact", "The staging server runs on port 8443"),
        ("fact", "Run all tests: `npm test`"),
        ("fact", "The staging server is slow. Never mind the first request."),
        ("fact", "北京的服务器在八楼"),
    ],
)
def test_the_type_follows_from_the_text(ws: Workspace, type: str, text: str) -> None:
    memory = ws.remember(text).memory
    assert memory is not None
    assert memory.type == type


def test_a_named_type_overrides(ws: Workspace) -> None:
    named = ws.remember("Never commit directly to main", type="note").memory
    assert named is not None
    assert named.type == "fact"
    several = ws.remember_all([Candidate("Always run make lint"), Candidate("Always run make", "gotcha")])
    assert [answer.memory.type for answer in several if answer.memory] == ["requirement", "gotcha"]


def test_the_next_session_starts_with_an_inferred_rule(ws: Workspace) -> None:
    ws.remember("Never commit directly to main", session="monday")
    ws.remember("I prefer short commit messages", session="monday")
    ws.remember("The staging server runs on port 8443", session="monday")
    text = ws.opening("tuesday").text
    assert "Never commit directly to main" in text
    assert "I prefer short commit messages" in text
    assert "8443" not in text
