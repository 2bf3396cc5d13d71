"""Measures changes of mind: pairs of statements, and conversations that were stored and consolidated.

The sets are described in `bench/sets/updates/README.md`; nothing was fitted to the unseen part. Standalone:
`python -m bench.conversation.updates [dev|test|fresh|unseen|sealed|sealed_second]`.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import holdfast
from bench.statements import interval
from holdfast.bench.reports import Figure, Section, table_text
from holdfast.core.memory import Memory
from holdfast.intake.message_intake import IncomingMessage
from holdfast.statements import compare

NEWEST = "sealed_second"  # the test part that no rule, weight or threshold was chosen by
SETS = Path(__file__).parents[1] / "sets" / "updates"
APPLIED, RETIRED, PRECISION = 0.80, 0.02, 0.90
_CONFLICTS = ("update", "contradiction")
_REPORTED = ("update", "clash")
_FIRST_DAY = datetime(2026, 1, 5, 10, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class TalkResult:
    """The believed and the retired memories after a conversation, and whether recall finds the newer one first."""

    believed: tuple[Memory, ...]
    retired: tuple[Memory, ...]
    newest_first: bool


def sections(part: str = "unseen", **settings: Any) -> Iterator[Section]:
    """The tables of one part of the sets."""
    pairs = read(f"pairs_{part}")
    title = f"Changes of mind, {len(pairs)} pairs of statements"
    yield Section(title, (), figures=tuple(pair_figures(pairs)))
    yield Section("The same by form", (), cells=tuple(by_form(pairs)))
    if part == "unseen":
        longer = read(f"pairs_worlds_{part}")
        title = f"Changes of mind, {len(longer)} pairs of longer statements by another author"
        yield Section(title, (), figures=tuple(pair_figures(longer)))
    talks = read(f"talks_{part}")
    title = f"Changes of mind in {len(talks)} conversations, stored and consolidated"
    yield Section(title, (), figures=tuple(talk_figures(talks, **settings)))


def read(name: str) -> list[dict[str, Any]]:
    """The rows of one file."""
    return [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def pair_figures(pairs: Sequence[Mapping[str, str]]) -> Iterator[Figure]:
    """Counts changes applied, pairs about different things retired, and the precision of reported conflicts."""
    found = Counter((pair["relation"], compare(pair["new"], pair["old"]).kind) for pair in pairs)
    of = Counter(pair["relation"] for pair in pairs)
    applied, retired = found["update", "update"], found["different", "update"]
    yield _share("changes of mind applied", applied, of["update"], APPLIED)
    yield _share("pairs about different things retired", retired, of["different"], RETIRED, at_most=True)
    reported = sum(found[relation, kind] for relation in of for kind in _REPORTED)
    right = sum(found[relation, kind] for relation in _CONFLICTS for kind in _REPORTED)
    yield _share("contradiction precision", right, reported, PRECISION)
    known = sum(found["contradiction", kind] for kind in _REPORTED)
    yield _share("contradictions reported", known, of["contradiction"])


def by_form(pairs: Sequence[Mapping[str, str]]) -> Iterator[tuple[str, ...]]:
    """For each form of expression: the number of pairs and what the comparison says."""
    kinds = ("update", "clash", "apart", "same")
    yield ("relation", "form", "pairs", *kinds)
    found = Counter((p["relation"], p["form"], compare(p["new"], p["old"]).kind) for p in pairs)
    for relation, form in sorted({(pair["relation"], pair["form"]) for pair in pairs}):
        counts = [found[relation, form, kind] for kind in kinds]
        yield (relation, form, str(sum(counts)), *(str(count or "") for count in counts))


def talk_figures(talks: Sequence[Mapping[str, Any]], **settings: Any) -> Iterator[Figure]:
    """Counts conversations in which the change is applied, and traps in which nothing is retired."""
    results = [(talk, held(talk, **settings)) for talk in talks]
    changes = [(talk, result) for talk, result in results if talk["retired"]]
    traps = [(talk, result) for talk, result in results if not talk["retired"]]
    applied = [is_applied(talk, result) for talk, result in changes]
    yield _share("changes applied: newer believed, older not", sum(applied), len(changes), APPLIED)
    yield _share("newer statement found first", sum(result.newest_first for _, result in changes), len(changes))
    safe = [not result.retired for _, result in traps]
    yield _share("traps in which nothing was retired", sum(safe), len(traps))
    for language in ("en", "fr"):
        own = [done for (talk, _), done in zip(changes, applied, strict=True) if talk["language"] == language]
        yield _share(f"changes applied, {language}", sum(own), len(own))


def held(talk: Mapping[str, Any], **settings: Any) -> TalkResult:
    """Stores a conversation, one session a day, consolidates each session and asks for the changed statement."""
    with tempfile.TemporaryDirectory() as folder:
        opened = {"background": False, "memory_files": False, **settings}
        with holdfast.open(db=f"{folder}/m.db", project=folder, **opened) as ws:
            for day, turns in enumerate(talk["sessions"]):
                start = _FIRST_DAY + timedelta(days=day)
                said = [
                    IncomingMessage(turn["role"], turn["text"], start + timedelta(minutes=minute))
                    for minute, turn in enumerate(turns)
                ]
                ws.session(f"s{day}").say_all(said)
                ws.consolidate(f"s{day}")
            memories = [m for m in ws.list(limit=1_000, include_forgotten=True) if m.type != "episode"]
            hits = ws.recall(_question(talk), count=False).hits if talk["retired"] else ()
            believed, retired = ([m for m in memories if m.is_current is state] for state in (True, False))
            return TalkResult(tuple(believed), tuple(retired), _newest_first(talk, [hit.text for hit in hits]))


def is_applied(talk: Mapping[str, Any], result: TalkResult) -> bool:
    """Is the newer statement believed, the older one not, and everything else still in a believed memory?

    What the correcting message says is true, although it may name the outdated value: `The Blue Lamp closed down.`
    """
    last = _correction(talk)
    outdated = [
        memory
        for memory in result.believed
        if is_outdated(memory.content, talk) and str(memory.attributes.get("quote")) not in last
    ]
    newer = not talk["current"] or any(has(memory.content, talk["current"]) for memory in result.believed)
    return newer and not outdated and not any(_is_lost(word, result) for word in talk["kept"])


def _is_lost(word: str, result: TalkResult) -> bool:
    """Was a word of another statement retired, and does no believed memory have it?"""
    retired, believed = (any(has(m.content, [word]) for m in found) for found in (result.retired, result.believed))
    return retired and not believed


def is_outdated(text: str, talk: Mapping[str, Any]) -> bool:
    """Does a text have a retired word and none that is current?"""
    return has(text, talk["retired"]) and not has(text, talk["current"])


def has(text: str, words: Sequence[str]) -> bool:
    """Does a text contain one of the words or phrases, without regard to case?"""
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) for word in words)


def main(arguments: Sequence[str]) -> None:
    """Prints the tables of a part."""
    for section in sections(*arguments[:1]):
        print(f"{section.title}\n{table_text(section)}\n")


def _texts(talk: Mapping[str, Any], role: str = "user") -> list[str]:
    return [turn["text"] for turns in talk["sessions"] for turn in turns if turn["role"] == role]


def _correction(talk: Mapping[str, Any]) -> str:
    """The last message that mentions the changed thing."""
    words = [*talk["retired"], *talk["current"]]
    return next((text for text in reversed(_texts(talk)) if has(text, words)), "")


def _question(talk: Mapping[str, Any]) -> str:
    """The outdated statement, without its outdated words: what a person would ask about."""
    text = next((text for text in _texts(talk) if is_outdated(text, talk)), _correction(talk))
    for word in talk["retired"]:
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", "", text, flags=re.IGNORECASE)
    return text


def _newest_first(talk: Mapping[str, Any], hits: Sequence[str]) -> bool:
    """Is the first hit about the changed thing another one than the outdated statement?"""
    correction = _correction(talk)
    about = (text for text in hits if has(text, [*talk["retired"], *talk["current"]]))
    first = next(about, "")
    said = [text for text in (*_texts(talk), *_texts(talk, "assistant")) if text != correction]
    return not (is_outdated(first, talk) and any(first in text for text in said))


def _share(name: str, right: int, of: int, target: float | None = None, at_most: bool = False) -> Figure:
    low, high = interval(right, of)
    share = right / of if of else 0.0
    holds = None if target is None else (share <= target if at_most else share >= target)
    wanted = "" if target is None else f"{'≤' if at_most else '≥'} {target:.2f}"
    return Figure(name, f"{share:.3f}  {right}/{of}  ({low:.2f}–{high:.2f})", wanted, holds)


if __name__ == "__main__":
    main(sys.argv[1:])
