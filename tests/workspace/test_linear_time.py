"""No text makes a pattern or a parser of the package take more than linear time."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.transcripts.record_files import records
from holdfast.core.conversation import Message
from holdfast.documents.chunk import chunk_code, chunk_markdown, chunk_text
from holdfast.documents.document_references import references
from holdfast.documents.front_matter import read_front
from holdfast.documents.rst import chunk_restructured
from holdfast.documents.specs import parse_spec
from holdfast.entities.regex import find_by_form
from holdfast.intake.junk import why_junk
from holdfast.intake.secrets import scan
from holdfast.interfaces.cli.terminal import clean
from holdfast.learn.keep.rule_extractor import learn
from holdfast.learn.keep.sentences import sentences
from holdfast.learn.keep.summary import summarise
from holdfast.llm.json_repair import read_answer
from holdfast.sessions.memory_files.memory_page import parse
from holdfast.statements import compare
from holdfast.text.days import future_day, past_day
from holdfast.text.ignore import IgnoreFile
from holdfast.text.removal import SentenceRemoval
from holdfast.text.words import terms, words
from tests.pattern_attacks import UsedPattern, built_patterns, slow_text, used_patterns

pytestmark = pytest.mark.integration

# Patterns that are used on short texts only: the module, the beginning of the pattern, and the longest text.
BOUNDED = (
    ("holdfast.entities.text_case", "(?:^|[.!?:;…", 12),
    ("holdfast.entities.regex", "(?P<url>", 300),
    ("holdfast.observer.tool_actions", r"\s*(?:\d?>&\d", 400),
    ("holdfast.observer.failures", "^(?:at )?", 500),
    ("holdfast.observer.failures", "(?i)^(?:exit code", 500),
    ("built", r"(?:[\w.@~-]*/)+", 500),
    ("built", r"\b[\w-]+\.(?:go|py", 500),
)
GROUPS = 8


@cache
def patterns() -> tuple[tuple[UsedPattern, ...], tuple[UsedPattern, ...]]:
    """The patterns written in the source, and those built from tables, each once per method."""
    found, _ = used_patterns()
    written = {used.pattern for used in found}
    built = [used for used in built_patterns() if used.pattern not in written]
    return _once(found), _once(built)


def _once(found: Iterable[UsedPattern]) -> tuple[UsedPattern, ...]:
    return tuple({(used.pattern, used.flags, used.method): used for used in found}.values())


def every_pattern() -> tuple[UsedPattern, ...]:
    written, built = patterns()
    return built + written


def test_the_patterns_of_the_package_are_found() -> None:
    written, built = patterns()
    assert len(written) > 250
    assert len(built) > 250


@pytest.mark.parametrize("group", range(GROUPS))
def test_no_pattern_is_slow(group: int) -> None:
    every = every_pattern()[group::GROUPS]
    slow = {f"{used.place} {used.method} {used.pattern[:60]}": text for used in every if (text := slow_text_of(used))}
    assert slow == {}


def slow_text_of(used: UsedPattern) -> str | None:
    limits = [
        most for module, start, most in BOUNDED if used.place.startswith(module) and used.pattern.startswith(start)
    ]
    return slow_text(used, *limits)


def test_the_test_finds_a_slow_pattern() -> None:
    for pattern, method in ((r"(\w+)*x", "match"), (r"\s+$", "search"), (r"[ \t]+#.*$", "sub")):
        assert slow_text(UsedPattern(pattern, 0, method, "here")) is not None


def test_no_group_is_possessive() -> None:
    """Python up to 3.11.4 matches a possessive group or an atomic group wrongly if its body has alternatives."""
    assert [used.pattern for used in every_pattern() if has_possessive_group(used.pattern)] == []
    assert has_possessive_group(r"(?:a|bc)++")
    assert has_possessive_group(r"(?>a|bc)")
    assert not has_possessive_group(r"\)++[(?>]*+a{2,}+\(?+")


def has_possessive_group(pattern: str) -> bool:
    bare = re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", "x", pattern)
    return re.search(r"\)(?:[*+?]|\{\d*,?\d*\})\+|\(\?>", bare) is not None


AT = datetime(2026, 1, 1, tzinfo=UTC)
LARGE = {"type": "facts", "facts": ["x"]}


def lines(text: str, folder: Path) -> Any:
    (folder / "t.jsonl").write_text(text, encoding="utf-8")
    return list(records(folder / "t.jsonl", Counter()))


PARSERS: dict[str, Callable[[str, Path], Any]] = {
    "secrets": lambda text, _: scan(text),
    "junk": lambda text, _: why_junk(text, limit=10**9),
    "front matter": lambda text, _: read_front(f"---\n{text}\n---\n\nx"),
    "toml front matter": lambda text, _: read_front(f"+++\na = {text}\n+++\n\nx"),
    "header": lambda text, _: read_front(text),
    "markdown": lambda text, _: chunk_markdown(text),
    "restructured text": lambda text, _: chunk_restructured(text),
    "plain text": lambda text, _: chunk_text(text),
    "code": lambda text, _: chunk_code(text),
    "references": lambda text, _: references(text, {}),
    "spec": lambda text, _: parse_spec(text, "f"),
    "spec heading": lambda text, _: parse_spec(f"### Requirement: {text}x", "f"),
    "spec renaming": lambda text, _: parse_spec(f"## RENAMED Requirements\n- FROM: `{text}x`\n- TO: {text}x", "f"),
    "ignore file": lambda text, _: IgnoreFile.of(text, ""),
    "memory page": lambda text, _: parse(text),
    "model answer": lambda text, _: read_answer(text, ("facts", "history_entry")),
    "transcript": lines,
    "names": lambda text, _: find_by_form(text),
    "sentences": lambda text, _: sentences(text),
    "rules": lambda text, _: learn([Message("m", "user", text, AT)]),
    "summary": lambda text, _: summarise([Message("m", "user", text, AT)]),
    "dates": lambda text, _: (future_day(text, AT), past_day(text, AT)),
    "terms": lambda text, _: (terms(text), words(text[:2_000])),
    "statements": lambda text, _: compare(text, f"{text} no"),
    "removal": lambda text, _: SentenceRemoval([text]).clean(f"x. {text}"),
    "terminal": lambda text, _: clean(text),
}
UNITS = (
    "a", " ", "\n", "a ", "a\n", ". ", "...", "- a\n", "# a\n", "> ", "[", "]", "[a](", "[a](b) ", "`", "```\n", "*",
    "**a", "_a", "|a", "| a |\n", "<", "<!-- ", "&amp;", '"', '\\"', "{", '{"a":', "[1,", "0", "1.", "a:", "a: b\n",
    "a=b ", "---\n", "=", "é", "中", "中a", "\t", "\u200b", "a.b", "a/b", "a_B", "@a", "#a", "http://a", "I am a. ",
    "not ", "password=", "Monday ", "2026-01-01 ", "the ", "A B ", "\r\n", "\x00", "+---+\n", ":a:", ".. a::\n",
    "FROM: a\n", "!", "/**\n",
)  # fmt: skip


@pytest.mark.parametrize("parser", PARSERS)
def test_no_parser_is_slow(tmp_path: Path, parser: str) -> None:
    slow = [unit for unit in UNITS if _grows_too_fast(PARSERS[parser], unit, tmp_path)]
    assert slow == []


def _grows_too_fast(parse: Callable[[str, Path], Any], unit: str, folder: Path) -> bool:
    """Does four times the text take far more than four times as long? Twice, since the machine may be busy."""
    short, long = (unit * (size // len(unit)) for size in (4_000, 16_000))
    if _seconds(parse, long, folder) < 0.2:
        return False
    return all(_seconds(parse, long, folder) > 10 * _seconds(parse, short, folder) for _ in range(2))


def _seconds(parse: Callable[[str, Path], Any], text: str, folder: Path) -> float:
    started = time.process_time()
    parse(text, folder)
    return time.process_time() - started


def test_nested_answers_are_read_or_refused(tmp_path: Path) -> None:
    for text in ("[" * 100_000, '{"a":' * 100_000, json.dumps(LARGE) * 1_000):
        read_answer(text, ("facts",))
        lines(text, tmp_path)
