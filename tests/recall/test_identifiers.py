"""Identifiers are found in any spelling: camel case, snake case or words."""

from __future__ import annotations

import pytest

from holdfast.workspace import Workspace

DECOYS = (
    "The cellar door sticks when it rains",
    "Ada waters the ferns on Mondays",
    "Lunch is at noon, tea is at four",
    "The lamp in the hall needs a new bulb",
    "Letters go out with the morning post",
)

SPELLINGS = [
    ("getUserName trims blanks", "get_user_name"),
    ("getUserName trims blanks", "get user name"),
    ("getUserName trims blanks", "getusername"),
    ("get_user_name trims blanks", "getUserName"),
    ("get_user_name trims blanks", "getusername"),
    ("get_user_name trims blanks", "GET_USER_NAME"),
    ("get-user-name is a command", "getUserName"),
    ("HTTPServer2 keeps connections open", "http server"),
    ("HTTPServer2 keeps connections open", "httpserver2"),
    ("http_server_2 keeps connections open", "HTTPServer2"),
    ("std::vector grows by doubling", "std vector"),
    ("std::vector grows by doubling", "std::vector"),
    ("a vector of std doubles", "std::vector"),
    ("foo.bar() returns nothing", "foo.bar"),
    ("foo.bar() returns nothing", "bar()"),
    ("foo.bar returns nothing", "foo.bar()"),
    ("holdings.store.text splits words", "holdings/store/text"),
    ("holdings/store/text.py splits words", "holdings.store.text"),
    ("E0432 means an unresolved import", "e0432"),
    ("error e0432 means an unresolved import", "E0432"),
    ("v1.2.3 broke the build", "1.2.3"),
    ("1.2.3 broke the build", "v1.2.3"),
    ("V1.2.3 broke the build", "version 1.2.3"),
    ("src/auth/login.py checks the seal", "login.py"),
    ("src/auth/login.py checks the seal", "src/auth/"),
    (r"src\auth\login.py checks the seal", "src/auth/login.py"),
    ("auth.py checks the seal", "auth.py"),
    ("XMLHttpRequest times out", "xml http request"),
    ("使用Redis缓存会话", "redis"),
]


@pytest.mark.parametrize("recipe", ["default", "keyword"])
@pytest.mark.parametrize(("kept", "asked"), SPELLINGS)
def test_a_name_is_found_in_another_spelling(ws: Workspace, kept: str, asked: str, recipe: str) -> None:
    for text in (*DECOYS, kept):
        ws.remember(text, type="fact")
    hits = ws.recall(asked, recipe=recipe).hits
    assert [hit.text for hit in hits][:1] == [kept]


@pytest.mark.parametrize("recipe", ["default", "keyword"])
def test_a_file_path_finds_the_memories_of_that_exact_file_first(ws: Workspace, recipe: str) -> None:
    ws.remember("py src auth login: a list of words to type, login first, then auth", type="fact")
    ws.remember("Tokens are signed", type="fact", files=["src/login/auth.py"])
    ws.remember("Sessions end after an hour", type="fact", files=["src/auth/login.py"])
    ws.remember("Seals are checked twice", type="fact", files=["tests/auth/login.py"])
    hits = ws.recall("src/auth/login.py", recipe=recipe).hits
    assert hits[0].text == "Sessions end after an hour"


@pytest.mark.parametrize("recipe", ["default", "keyword"])
def test_the_version_asked_for_comes_before_its_neighbours(ws: Workspace, recipe: str) -> None:
    for version in ("3.2.1", "1.2.4", "1.2.3", "2.1.3"):
        ws.remember(f"Release v{version} went out", type="fact")
    assert ws.recall("release 1.2.3", recipe=recipe).hits[0].text == "Release v1.2.3 went out"
