"""Measures which sentences are kept of sessions with coding agents that public repositories publish.

    python -m bench.conversation.published REPOSITORY … [--part test]

REPOSITORY is a clone with the branch `entire/checkpoints/v1` (see `bench/observer/checkpoints.py`), whose sessions are
read as `holdfast session import` reads them, or with sessions in `.specstory/history`. Labels are in
`bench/sets/kept/published.jsonl`, without the texts: a label names its message by a hash.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.conversation.keeping import kept_sentences
from bench.conversation.kept import LABELS, Label, LabelledChat, messages_of
from bench.observer.checkpoints import write_transcripts
from holdfast.agents import event as kinds
from holdfast.agents.transcripts.agent_events import all_sessions

_ROLES = {kinds.USER: "user", kinds.ASSISTANT: "assistant"}
_HISTORY = ".specstory/history/"
_SPEAKER = re.compile(r"(?m)^_\*\*(User|Assistant|Agent)[^\n]*\*\*_\s*$")
_RULE = re.compile(r"(?m)^---\s*$")
# Longer texts of a person are pasted.
_PASTED = 1_500
# The labels of one message, by its hash.
Labels = dict[str, list[Mapping[str, Any]]]
# The turns of a session: number, role and text of each.
Turns = list[tuple[int, str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure which sentences of published sessions are learned.")
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--part", choices=("train", "test", "aside"), help="only the labels of this part")
    options = parser.parse_args()
    judged: list[tuple[bool, bool]] = []
    labels = read_labels(options.part)
    for repository in options.repositories:
        chats = labelled_chats(repository, labels)
        found = [(label.kept, kept) for chat in chats for label, kept in kept_sentences(chat)]
        _print(repository.parent.name if repository.name == "repo" else repository.name, found)
        judged += found
    _print("all", judged)


def read_labels(part: str | None = None) -> Labels:
    """The labels of a part, or all, by the hash of their message."""
    found: Labels = {}
    for line in (LABELS / "published.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if part in (None, row["part"]):
            found.setdefault(row["message"], []).append(row)
    return found


def labelled_chats(repository: Path, labels: Labels) -> Iterator[LabelledChat]:
    """The sessions that have labelled messages; a message that several have counts in the first."""
    for id, turns in sessions(repository):
        own = [
            Label(n, row["start"], row["end"], row["label"])
            for n, role, text in turns
            if role == "user"
            for row in labels.pop(_hash(text), ())
        ]
        if own:
            yield LabelledChat(id, "published", "project", messages_of(id, turns), tuple(own))


def sessions(repository: Path) -> Iterator[tuple[str, Turns]]:
    """The sessions that a repository publishes, in either form."""
    with tempfile.TemporaryDirectory() as folder:
        write_transcripts(repository, Path(folder))
        for session in all_sessions(folder):
            said = [event for event in session.events if event.kind in _ROLES and not event.agent]
            yield session.id, [(n, _ROLES[event.kind], event.text) for n, event in enumerate(said)]
    for name in _git(repository, "ls-tree", "-r", "--name-only", "HEAD").splitlines():
        if _HISTORY in name and name.endswith(".md"):
            yield name, _turns(_git(repository, "show", f"HEAD:{name}"))


def _turns(page: str) -> Turns:
    """The turns of a session that was saved as a page of Markdown."""
    parts = _SPEAKER.split(page)[1:]
    texts = [_RULE.sub("", text).strip() for text in parts[1::2]]
    said = zip(("user" if speaker == "User" else "assistant" for speaker in parts[::2]), texts, strict=False)
    typed = [(role, text) for role, text in said if text and not (role == "user" and len(text) >= _PASTED)]
    return [(n, role, text) for n, (role, text) in enumerate(typed)]


def _git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    # A clone may lack large files: what cannot be shown is empty.
    return subprocess.run(command, check=False, capture_output=True, text=True, errors="replace").stdout


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _print(name: str, judged: Sequence[tuple[bool, bool]]) -> None:
    right = sum(worth and kept for worth, kept in judged)
    worth, kept = sum(worth for worth, _ in judged), sum(kept for _, kept in judged)
    figures = f"precision {right / max(1, kept):.2f}, recall {right / max(1, worth):.2f}"
    print(f"{name:32} {len(judged):5} sentences, {worth:3} worth keeping: {figures}")


if __name__ == "__main__":
    main()
