"""The benchmark of hooks and injection, on eight small sessions."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.bench.run import main


def session(number: int) -> dict[str, Any]:
    at = f"2026-01-0{number + 1}T10:00:00Z"
    shared = {"ts": at, "sidechain": False, "branch": "main"}
    events = [
        {**shared, "kind": "user", "text": "Fix the tide table."},
        {**shared, "kind": "tool_call", "step": 1, "id": "a", "tool": "Read", "args": {"file_path": "src/tide.py"}},
        {**shared, "kind": "tool_result", "id": "a", "is_error": False, "text": "x = 1"},
        {**shared, "kind": "assistant", "text": "Fixed."},
    ]
    return {"session_id": f"s{number}", "started_at": at, "files_touched": ["src/tide.py"], "events": events}


def test_the_loop_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "coding-sessions").mkdir()
    with gzip.open(tmp_path / "coding-sessions" / "go-cli.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(session(number)) + "\n" for number in range(8))
    main(["loop", "--data", str(tmp_path), "--events", "12", "--processes", "2", "--json"])
    hooks, replayed = json.loads(capsys.readouterr().out)["sections"]
    rows = {row["name"]: row["p50"] for row in hooks["rows"]}
    assert rows["events replayed by 2 agents at once"] == 12
    assert rows["hooks that failed"] == 0
    shares = {row["name"]: row["p50"] for row in replayed["rows"]}
    assert shares["files read"] == 2
    assert shares["  among the files predicted at the first prompt"] == 1.0
