"""Measures which sentences are kept of sessions with coding agents that public repositories publish.

    python -m bench.conversation.published REPOSITORY …

REPOSITORY is a clone with the branch `entire/checkpoints/v1` (see `bench/observer/checkpoints.py`). Its sessions are
read as `holdfast session import` reads them. Labels are in `bench/sets/kept/published.jsonl`, without the texts: a
label names its message by a hash.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.conversation.keeping import kept_sentences
from bench.conversation.kept import LABELS, Label, LabelledChat, messages_of
from bench.observer.checkpoints import write_transcripts
from holdfast.conversation.transcripts.agent_events import AgentSession, all_sessions
from holdfast.core import event as kinds

_ROLES = {kinds.USER: "user", kinds.ASSISTANT: "assistant"}
# The labels of one message, by its hash.
Labels = dict[str, list[Mapping[str, Any]]]


def main(repositories: Sequence[str]) -> None:
    judged: list[tuple[bool, bool]] = []
    for repository in map(Path, repositories):
        with tempfile.TemporaryDirectory() as folder:
            write_transcripts(repository, Path(folder))
            chats = list(labelled_chats(all_sessions(folder), read_labels()))
        found = [(label.kept, kept) for chat in chats for label, kept in kept_sentences(chat)]
        _print(repository.parent.name if repository.name == "repo" else repository.name, found)
        judged += found
    _print("all", judged)


def read_labels() -> Labels:
    """All labels, by the hash of their message."""
    found: Labels = {}
    for line in (LABELS / "published.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found.setdefault(row["message"], []).append(row)
    return found


def labelled_chats(sessions: Sequence[AgentSession], labels: Labels) -> Iterator[LabelledChat]:
    """The sessions that have labelled messages; a message that several have counts in the first."""
    for session in sessions:
        said = [event for event in session.events if event.kind in _ROLES and not event.agent]
        turns = [(n, _ROLES[event.kind], event.text) for n, event in enumerate(said)]
        own = [
            Label(n, row["start"], row["end"], row["label"])
            for n, role, text in turns
            if role == "user"
            for row in labels.pop(_hash(text), ())
        ]
        if own:
            yield LabelledChat(session.id, "published", "project", messages_of(session.id, turns), tuple(own))


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _print(name: str, judged: Sequence[tuple[bool, bool]]) -> None:
    right = sum(worth and kept for worth, kept in judged)
    worth, kept = sum(worth for worth, _ in judged), sum(kept for _, kept in judged)
    figures = f"precision {right / max(1, kept):.2f}, recall {right / max(1, worth):.2f}"
    print(f"{name:32} {len(judged):5} sentences, {worth:3} worth keeping: {figures}")


if __name__ == "__main__":
    main(sys.argv[1:])
