"""Transcripts that are truncated, huge, garbled or hostile: read as far as possible, with skips counted."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.agents.transcripts import record_files as records_
from holdfast.agents.transcripts.entry import ParseNotes, merged
from holdfast.agents.transcripts.fields import one_line, timestamp
from holdfast.agents.transcripts.formats import formats, read
from holdfast.agents.transcripts.record_files import elements, records
from holdfast.core.errors import InvalidFile
from holdfast.core.reason import Code
from holdfast.text.noise import without_noise

NOT_JSON, TOO_LONG = TranscriptCode.NOT_JSON, TranscriptCode.LINE_TOO_LONG


def line(text: str, **more: Any) -> bytes:
    record = {
        "type": "user",
        "sessionId": "s",
        "uuid": text,
        "isSidechain": False,
        "message": {"content": text},
        **more,
    }
    return json.dumps(record).encode() + b"\n"


def texts(path: Path) -> tuple[list[str], Counter[Code]]:
    notes = ParseNotes("x")
    return [entry.text for transcript in read(path, None, notes) for entry in transcript.messages], notes.skipped


def test_a_torn_last_line_costs_that_line(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(line("one") + line("two")[:-20])
    assert texts(path) == (["one"], {NOT_JSON: 1})


def test_garbage_between_lines_costs_that_garbage(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(
        b"\xef\xbb\xbf" + line("one") + b"\n   \r\n" + b"not json\n" + b"[" * 200_000 + b"\n[1]\n\0\0\0\n" + line("two")
    )
    assert texts(path) == (["one", "two"], {NOT_JSON: 3})


def test_bad_utf8_costs_the_bad_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(line("a fine day at s?a").replace(b"s?a", b"s\xffa"))
    assert texts(path)[0] == ["a fine day at s\ufffda"]


def test_a_huge_line_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_, "LONGEST_LINE", 1000)
    path = tmp_path / "a"
    path.write_bytes(line("one") + line("x" * 200_000) + line("two"))
    assert texts(path) == (["one", "two"], {TOO_LONG: 1})


def test_an_array_is_read_in_chunks() -> None:
    found = [{"n": n, "text": "é" * (n * 997 % 40_000)} for n in range(60)]
    skipped: Counter[Code] = Counter()
    assert list(elements(io.BytesIO(json.dumps(found, indent=1).encode()), skipped)) == found
    assert not skipped


def test_an_array_truncated_at_any_byte_yields_the_elements_before() -> None:
    found = [{"a": "é"}, {"b": [1, {"c": "]"}]}, {"d": 3}]
    whole = json.dumps(found, ensure_ascii=False).encode()
    for end in range(len(whole)):
        result = list(elements(io.BytesIO(whole[:end]), Counter()))
        assert result == found[: len(result)]
    assert list(elements(io.BytesIO(whole), Counter())) == found


def test_a_huge_element_ends_the_array(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_, "LARGEST_ELEMENT", 200_000)
    skipped: Counter[Code] = Counter()
    whole = json.dumps([{"a": 1}, {"b": "x" * 900_000}]).encode()
    assert list(elements(io.BytesIO(whole), skipped)) == [{"a": 1}]
    assert skipped == {TOO_LONG: 1}


@pytest.mark.parametrize(
    "id", ["../../etc/passwd\0", "\x1b[2Jgone", "a" * 5000, "", "  ", "\ud800", "a\u202eb", 7, ["x"], {"a": 1}]
)
def test_a_hostile_id_is_replaced_by_a_safe_name(tmp_path: Path, id: object) -> None:
    path = tmp_path / "a"
    path.write_bytes(line("one", sessionId=id))
    name = next(read(path)).id
    assert name.startswith("transcript-")
    assert name.isprintable()
    assert next(read(path)).id == name


def test_without_an_id_the_file_names_the_session(tmp_path: Path) -> None:
    path = tmp_path / "monday.jsonl"
    path.write_bytes(line("one", sessionId=None))
    assert next(read(path)).id == "monday"


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "soon",
        "2026-13-01",
        float("nan"),
        float("inf"),
        10**30,
        -(10**30),
        True,
        [],
        "9999-12-31T23:59:59-23:59",
    ],
)
def test_an_invalid_timestamp_is_none(value: object) -> None:
    assert timestamp(value) is None


def test_noise_is_cut_in_linear_time() -> None:
    assert without_noise("</system-reminder>" + "<system-reminder>" * 100_000) != ""
    assert without_noise("<system-reminder>x</system-reminder>" * 50_000 + "words") == "words"


@given(st.text())
def test_text_without_tags_is_only_trimmed(text: str) -> None:
    if "<" not in text and not text.strip().startswith("[Request"):
        assert without_noise(text) == text.strip()


@given(st.text(alphabet=st.characters()))
def test_a_title_is_one_short_safe_line(text: str) -> None:
    title = one_line(text)
    assert len(title) <= 200
    assert title.isprintable()
    title.encode()


_KEYS = st.sampled_from(
    "type message content payload data text role id sessionId mapping parts author $set messages toolCalls "
    "current_node parent source timestamp name toolRequests specstory project".split()
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=12,
)
_KINDS = st.sampled_from(
    ("user", "assistant", "gemini", "session_meta", "response_item", "message", "user.message", "x")
)


@given(st.lists(st.dictionaries(_KEYS, _JSON | _KINDS, max_size=6), max_size=6))
def test_records_of_any_shape_are_read_by_every_format(found: list[dict[str, Any]]) -> None:
    for format in formats().values():
        notes = ParseNotes("x")
        for record in found:
            format.looks_like(record)
        for entry in merged(format.entries(found, notes), notes):
            assert entry.text
            assert entry.role in ("user", "assistant")
            assert entry.session.isprintable()


@given(st.binary(max_size=300))
def test_any_bytes_are_read(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"{" + content)
    assert all(isinstance(record, dict) for record in records(path, Counter()))


@pytest.mark.integration
def test_a_zip_that_expands_to_blanks_is_refused_at_once(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b" " * 70_000_000)
    with pytest.raises(InvalidFile, match="expand from"):
        list(records(tmp_path / "bomb.zip", Counter()))


def zipped(path: Path, *contents: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, content in enumerate(contents):
            archive.writestr(f"conversations-{number}.json", content)
    return path


def test_the_files_of_a_zip_are_bounded_together(tmp_path: Path) -> None:
    blanks = b'[{"a": 1},' + b" " * 6_000_000 + b"{}]"
    found = records(zipped(tmp_path / "bomb.zip", blanks, blanks, blanks, blanks), Counter())
    assert [next(found) for _ in range(4)] == [{"a": 1}, {}, {"a": 1}, {}]
    with pytest.raises(InvalidFile, match=r"conversations-2.json and the files before it expand from"):
        list(found)


def test_a_zip_ends_at_a_file_that_ends_in_the_middle(tmp_path: Path) -> None:
    for torn in (b'[{"a": 1}, {"c": [1, 2, 3', b'[{"a": 1}, '):
        found = records(zipped(tmp_path / "torn.zip", torn, b'[{"b": 2}]'), Counter())
        assert next(found) == {"a": 1}
        with pytest.raises(InvalidFile, match=r"conversations-0.json ends in the middle"):
            list(found)


@pytest.mark.integration
def test_blanks_between_elements_are_skipped_quickly() -> None:
    text = b"[" + b" " * 5_000_000 + b'{"a": 1}' + b"," * 1_000_000 + b'{"b": 2}]'
    assert list(elements(io.BytesIO(text), Counter())) == [{"a": 1}, {"b": 2}]
