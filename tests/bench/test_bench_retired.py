"""Real conversations, in which hardly anything changes, retire few memories, if the data is available."""

from __future__ import annotations

from pathlib import Path

from bench.conversation.retired import SETS, figures


def test_few_memories_of_real_conversations_are_retired(shared_data: Path) -> None:
    found = list(figures(shared_data, chats=20))
    assert len(found) == len(SETS)
    assert [figure.name for figure in found if figure.holds is False] == []


def test_without_the_data_there_are_no_figures(tmp_path: Path) -> None:
    assert list(figures(tmp_path)) == []
