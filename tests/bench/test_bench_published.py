"""Labels of sentences in published sessions find their messages by a hash."""

from __future__ import annotations

import subprocess
from pathlib import Path

from bench.conversation.published import Labels, _hash, labelled_chats, read_labels

RULE = "Always run make check."


def repository(folder: Path, *pages: str) -> Path:
    """A repository with sessions as pages of Markdown."""
    history = folder / ".specstory" / "history"
    history.mkdir(parents=True)
    for number, page in enumerate(pages):
        (history / f"{number}.md").write_text(page)
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "sessions"]):
        subprocess.run([*git, *arguments], check=True)
    return folder


def test_a_message_is_found_by_its_hash_and_counts_once(tmp_path: Path) -> None:
    labels: Labels = {_hash(RULE): [{"start": 0, "end": len(RULE), "label": "r"}]}
    page = f"_**Agent (model)**_\n\nDone.\n\n---\n\n_**User**_\n\n{RULE}\n\n---\n"
    (chat,) = labelled_chats(repository(tmp_path, page, page), labels)
    assert (chat.labels[0].message, chat.labels[0].kept) == (1, True)
    assert [(message.role, message.text) for message in chat.messages] == [("assistant", "Done."), ("user", RULE)]


def test_what_a_person_pasted_is_left_out(tmp_path: Path) -> None:
    labels: Labels = {_hash(RULE): [{"start": 0, "end": len(RULE), "label": "r"}]}
    page = f"_**User**_\n\n{'log ' * 500}\n\n_**User**_\n\n{RULE}\n"
    (chat,) = labelled_chats(repository(tmp_path, page), labels)
    assert [message.text for message in chat.messages] == [RULE]


def test_the_labels_are_complete() -> None:
    rows = [row for rows in read_labels().values() for row in rows]
    assert len(rows) == 5_072
    assert {row["part"] for row in rows} == {"train", "test", "aside"}
    assert all(row["start"] < row["end"] for row in rows)
    assert sum("clear" in row for row in rows) == 402
    assert all(row["label"] != "n" for row in rows if "clear" in row)
    assert len(read_labels("test")) < len(read_labels("train"))
