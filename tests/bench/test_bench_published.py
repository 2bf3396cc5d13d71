"""Labels of sentences in published sessions find their messages by a hash."""

from __future__ import annotations

from datetime import UTC, datetime

from bench.conversation.published import Labels, _hash, labelled_chats, read_labels

from holdfast.conversation.transcripts.agent_events import AgentSession
from holdfast.core import event as kinds
from holdfast.core.event import Event

NOW = datetime(2026, 11, 18, tzinfo=UTC).timestamp()


def session(id: str, *said: tuple[str, str]) -> AgentSession:
    return AgentSession(id, "/p", tuple(Event(kind, NOW, text=text) for kind, text in said))


def test_a_message_is_found_by_its_hash_and_counts_once() -> None:
    text = "Always run make check."
    labels: Labels = {_hash(text): [{"start": 0, "end": len(text), "label": "r"}]}
    said = ((kinds.ASSISTANT, "Done."), (kinds.USER, text))
    (chat,) = labelled_chats([session("a", *said), session("b", *said)], labels)
    assert (chat.id, chat.labels[0].message, chat.labels[0].kept) == ("a", 1, True)


def test_the_labels_are_complete() -> None:
    rows = [row for rows in read_labels().values() for row in rows]
    assert len(rows) == 1_996
    assert {row["part"] for row in rows} == {"train", "test"}
    assert all(row["start"] < row["end"] for row in rows)
    assert all(("clear" in row) == (row["label"] != "n") for row in rows)
