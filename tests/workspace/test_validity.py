"""A date from which a memory no longer applies: it holds everywhere until then, and nowhere afterwards."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from holdfast import Workspace

TEXT = "Refunds fail when pay.py runs without the lock."


def stored(ws: Workspace, days: float) -> str:
    (Path(ws.root or "") / "pay.py").write_text("def pay():\n    return 1\n", "utf-8")
    day = datetime.now(UTC) + timedelta(days=days)
    memory = ws.remember(TEXT, type="gotcha", files=["pay.py"], stale_at=day).memory
    assert memory is not None
    return memory.id


@pytest.mark.parametrize(("days", "holds"), [(1, True), (-1, False)])
def test_a_memory_holds_until_its_date_in_lists_search_page_and_during_the_work(
    ws: Workspace, days: float, holds: bool
) -> None:
    id = stored(ws, days)
    assert bool(ws.list()) is holds
    assert bool(ws.recall("why do refunds fail?").hits) is holds
    assert (TEXT in ws.memory_page()) is holds
    assert (TEXT in ws.after_tool("s", "Read", {"file_path": "pay.py"}).text) is holds
    assert ws.get(id).is_stale(datetime.now(UTC)) is not holds


def test_a_confirmation_keeps_a_date_that_is_to_come(ws: Workspace) -> None:
    id = stored(ws, 1)
    assert ws.confirm(id).stale_at is not None
    ended = ws.remember("The valve is blue.", stale_at=datetime.now(UTC) - timedelta(days=1)).memory
    assert ended is not None
    assert ws.confirm(ended.id).stale_at is None


def test_an_imported_memory_holds_until_the_end_that_its_export_names(ws: Workspace) -> None:
    id = stored(ws, 365)
    export = json.loads(ws.export())
    ws.erase(id)
    end = datetime.now(UTC) + timedelta(days=30)
    [memory] = export["memories"]
    memory |= {"id": f"{id}x", "stale_at": None, "valid_until": end.isoformat()}
    ws.import_(json.dumps(export))
    assert [one.stale_at is not None and abs(one.stale_at - end) < timedelta(seconds=1) for one in ws.list()] == [True]
    assert TEXT in ws.memory_page()
