"""Conversations from which questions are made by rule: turns of people who have invented first names."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from training.chats import persona_chat, self_dialogues
from training.dialogues import Dialogue, Turn
from training.sources import Mirrors
from training.wording import two_names

CHITCHAT = "BYU-PCCL/chitchat-dataset"
_LONGEST_MESSAGE = 140  # about; what is longer was broken off and goes on in the next message


def conversations(mirrors: Mirrors) -> Iterator[Dialogue]:
    """All conversations, the same ones in the same order each time."""
    yield from persona_chat(mirrors)
    yield from chitchats(mirrors)
    yield from self_dialogues(mirrors)


def chitchats(mirrors: Mirrors) -> Iterator[Dialogue]:
    """Students who chat about everyday life."""
    entries = mirrors.json(CHITCHAT, "chitchat_dataset/dataset.json")
    for key in sorted(entries):
        lines = [(sent["sender"], sent["text"]) for messages in entries[key]["messages"] for sent in messages]
        senders = sorted({sender for sender, _ in lines})
        if len(senders) == 2:
            names = dict(zip(senders, two_names(random.Random(f"chitchat {key}")), strict=True))
            turns = tuple(Turn(names[sender], _tidy(text)) for sender, text in joined(lines) if _tidy(text))
            yield Dialogue(CHITCHAT, f"chitchat-{key}", "train", turns, ())


def joined(lines: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Messages that one person sent one after the other, as one turn."""
    turns: list[tuple[str, str]] = []
    for speaker, text in lines:
        if not turns or turns[-1][0] != speaker:
            turns.append((speaker, text))
            continue
        before = turns[-1][1].rstrip()
        goes_on = len(before) > _LONGEST_MESSAGE and text[:1].islower()
        stop = "" if goes_on or before[-1:] in ".!?," else "."
        turns[-1] = (speaker, f"{before}{stop} {text}")
    return turns


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u2019", "'").replace("\u2018", "'")).strip()
