"""Text on a terminal: lines break between words, and matched words are shown and highlighted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.interfaces.cli import matched_words
from holdfast.interfaces.cli.matched_words import code_excerpt, excerpt
from holdfast.interfaces.cli.terminal import broken, fit, fold, table, width

_TEXT = "Releases go out every Thursday after the smoke tests passed on staging; Priya reviews the changelog entry."


@given(st.text(st.sampled_from("ab 日é"), max_size=80), st.integers(10, 30))
def test_broken_lines_fit_and_keep_every_word(text, available):
    lines = broken(text, available)
    assert all(width(line) <= available for line in lines) or lines == [text]
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_every_line_of_an_answer_is_broken_between_words_except_commands(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    line = "  src/tides.py  calls, through fitting · 0.81"
    assert fold(line) == "  src/tides.py  calls, through\n      fitting · 0.81"
    assert fold(f"    {'x' * 40}") == f"    {'x' * 40}"
    command = "  holdfast remember --type decision TEXT"
    assert fold(command) == command
    painted = "  \x1b[36msrc/tides.py\x1b[0m  calls, through fitting"
    assert "".join(fold(painted).split()) == "".join(painted.split())


def test_words_that_fit_are_not_split():
    assert {word for line in broken(_TEXT, 20) for word in line.split()} == set(_TEXT.split())


def test_a_word_longer_than_the_line_is_split():
    assert broken("see " + "x" * 25, 10) == ["see", "x" * 10, "x" * 10, "x" * 5]


def test_a_shortened_text_ends_after_a_word():
    assert fit(_TEXT, 30) == "Releases go out every…"
    assert fit("a" + "b" * 40, 10) == "a" + "b" * 8 + "…"


def test_the_last_column_continues_below_itself(monkeypatch):
    monkeypatch.setenv("COLUMNS", "24")
    assert table([("one", "a rather long remark")], indent=0, whole=True) == "one  a rather long\n     remark"


def test_an_excerpt_shows_the_lines_with_the_matched_words(monkeypatch):
    monkeypatch.setattr(matched_words, "paint", lambda text, style: f"[{text}]")
    text = "word " * 60 + "then the changelog is reviewed " + "word " * 60
    lines = excerpt([text], ["review", "changelog"], 40, 3)
    assert len(lines) == 3
    assert "[changelog] is [reviewed]" in " ".join(lines)
    assert lines[0].startswith("… ")
    assert lines[-1].endswith(" …")


def test_an_excerpt_of_code_keeps_its_lines_and_their_indentation(monkeypatch):
    monkeypatch.setattr(matched_words, "paint", lambda text, style: f"[{text}]")
    text = "class Tide:\n\n    def turn(self):\n        return self.low\n\n    def height(self, hour):\n        pass\n"
    assert code_excerpt(text, ["height"], 60, 2) == ["def [height](self, hour):", "    pass"]
    assert code_excerpt(text, ["low"], 60, 2) == ["    return self.[low]", "def height(self, hour):"]
    assert code_excerpt(text, [], 12, 9)[:2] == ["class Tide:", "    def…"]
    assert code_excerpt(text, ["elsewhere"], 60, 1) == ["class Tide:"]
    assert code_excerpt("", [], 60, 3) == []


def test_code_hits_keep_their_lines_on_a_terminal(holdfast, world, monkeypatch):
    (world / "tide.py").write_text("def turn(hour):\n    return hour % 6 == 0  # turns twice\n")
    holdfast("index")
    monkeypatch.setenv("COLUMNS", "80")
    shown = holdfast("search", "turn hour", "--all", "--type", "code").out.splitlines()
    assert shown[0].endswith("def turn(hour):")
    assert shown[1].endswith("    return hour % 6 == 0  # turns twice")


@pytest.mark.parametrize("columns", [80, 140])
def test_hits_wrap_at_words(holdfast, monkeypatch, columns):
    holdfast("remember", _TEXT * 2)
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = holdfast("search", "changelog entry").out.splitlines()
    assert all(width(line) <= columns for line in lines)
    assert 3 <= len(lines) <= 4
    shown = {word for line in lines[:-1] for word in line.split()}
    assert shown <= {*(_TEXT * 2).split(), *_TEXT.split(), "sure", "likely", "requirement", "…", "entry"}


@pytest.mark.parametrize("argv", [("show", "ID"), ("doctor",)])
def test_details_wrap_at_words(holdfast, monkeypatch, argv):
    id = holdfast("remember", _TEXT).id
    monkeypatch.setenv("COLUMNS", "60")
    ran = holdfast(*[id if word == "ID" else word for word in argv])
    assert all(width(line) <= 60 for line in ran.out.splitlines() if "/" not in line)


def test_listed_memories_are_readable_on_a_narrow_screen(holdfast, monkeypatch):
    id = holdfast("remember", f"{_TEXT} {_TEXT}", "--type", "workflow_recipe").out.split()[1].rstrip(":")
    monkeypatch.setenv("COLUMNS", "80")
    first, second, known = holdfast("list").out.splitlines()
    assert first.startswith(f"{id}  Releases go out every Thursday after the smoke tests passed")
    assert second.startswith("          ")
    assert second.endswith("…")
    assert known == "          workflow_recipe · just now · taught by the user"
    assert all(width(line) <= 80 for line in (first, second))
    monkeypatch.setenv("COLUMNS", "130")
    assert len(holdfast("list").out.splitlines()) == 1


def test_memories_to_review_are_listed_with_their_whole_text(holdfast, monkeypatch):
    id = holdfast("remember", f"{_TEXT} {_TEXT}").out.split()[1].rstrip(":")
    holdfast("flag", id, "not sure")
    monkeypatch.setenv("COLUMNS", "80")
    listed = " ".join(holdfast("list", "--review").out.split())
    assert f"{_TEXT} {_TEXT}" in listed
    assert listed.endswith("to review")


def test_a_second_column_without_room_stands_below_the_first(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    rows = [("apps/web/src/components/dialog.ts", "changed lately"), ("a.ts", "named in the prompt")]
    assert table(rows, indent=0).splitlines() == [
        "apps/web/src/components/dialog.ts",
        "    changed lately",
        "a.ts",
        "    named in the prompt",
    ]
    assert table([("apps/web/src/components/dialog.ts", "new")], indent=0) == "apps/web/src/components/dialog.ts  new"


def test_prose_is_folded_between_words_and_commands_and_paths_stay_whole(monkeypatch):
    monkeypatch.setenv("COLUMNS", "24")
    command = "    holdfast session import ~/.claude/projects/kelp"
    path = "docs/a/rather/long/path/without/a/space.md"
    text = f"The note is kept for review,\n{command}\nsee {path} or \x1b[2mwait\x1b[0m"
    assert fold(text) == f"The note is kept for\nreview,\n{command}\nsee\n{path}\nor \x1b[2mwait\x1b[0m"
    monkeypatch.delenv("COLUMNS")
    assert fold(text) == text
