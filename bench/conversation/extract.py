"""Measures what the extractor finds in real conversations: rules, chats without rules, personal facts.

Standalone: `python -m bench.conversation.extract [DATA]`.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench import ROOT
from bench.recall.pool import read_lines
from holdfast.bench.reports import VERDICTS, Figure, aligned
from holdfast.core.conversation import Learned, Message
from holdfast.learn.keep.rule_extractor import learn
from holdfast.learn.keep.sentences import content_words
from holdfast.statements import compare

SDE, LONGMEMEVAL = "sde-bench", "longmemeval"
DATA = ROOT.parent / "shared" / "data"
KINDS = ("knowledge-update", "single-session-user", "single-session-preference")
_DAY = datetime(2025, 1, 6, 10, tzinfo=UTC)
# A fact is about the rule if this share of its quote occurs in the assistant's summary of the decision.
_ABOUT = 1 / 3
_ENOUGH_OF_ANSWER = 0.5
_LAST_WORDS = 2
# Every n-th session is checked for wrong replacements of unrelated facts.
_EVERY = 5
_FIGURES = {
    **{word: str(n) for n, word in enumerate("zero one two three four five six seven eight nine ten".split())},
    "onc": "1", "twic": "2", "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5",
}  # fmt: skip
Chat = tuple[Message, ...]


def figures(data: Path = DATA) -> tuple[Figure, ...]:
    """Computes the figures of the available data sets, in the order they are printed."""
    found: list[Figure] = []
    if (data / SDE).is_dir():
        tasks = [chats(task) for task in read_lines(data / SDE / "tasks.jsonl.gz")]
        decoys = [
            chat(decoy["turns"], f"decoy{n}") for n, decoy in enumerate(read_lines(data / SDE / "decoys.jsonl.gz"))
        ]
        found += [*rules_kept(tasks), *junk(decoys)]
    if (data / LONGMEMEVAL).is_dir():
        sessions = {row["session_id"]: row for row in read_lines(data / LONGMEMEVAL / "sessions.jsonl.gz")}
        found += facts_kept(sessions, list(read_lines(data / LONGMEMEVAL / "questions.jsonl.gz")))
    return tuple(found)


def rules_kept(tasks: Sequence[Sequence[Chat]]) -> Iterator[Figure]:
    """Counts tasks in which a rule is found that a person decided after the first message."""
    decided = [[(one, chat) for chat in chats for one in _decided(chat)] for chats in tasks]
    about = [[one for one, chat in found if _is_summed_up(one, chat)] for found in decided]
    kept, sure = sum(map(bool, decided)), sum(map(bool, about))
    least = -(-15 * len(tasks) // 18)
    yield Figure("tasks with a deciding message found", f"{kept} of {len(tasks)}", f"≥ {least}", kept >= least)
    yield Figure("… confirmed by the assistant's summary", f"{sure} of {len(tasks)}", f"≥ {least}", sure >= least)
    yield Figure("facts per deciding chat", f"{sum(map(len, decided)) / sum(map(len, tasks)):.1f}")


def junk(decoys: Sequence[Chat]) -> Iterator[Figure]:
    made = sum(len(learn(chat)) for chat in decoys)
    yield Figure("facts per chat without a rule", f"{made / len(decoys):.2f}", "≤ 0.50", made <= len(decoys) / 2)


def facts_kept(sessions: Mapping[str, Mapping[str, Any]], questions: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    """Measures how many answers the learned facts contain, how many facts are learned, and how fast."""
    talks = {id: chat(row["turns"], id, _parse_date(row["date"])) for id, row in sessions.items()}
    started = time.process_time()
    learned = {id: learn(talk) for id, talk in talks.items()}
    took = time.process_time() - started
    for kind in KINDS:
        relevant = [q for q in questions if q["question_type"] == kind and not q["question_id"].endswith("_abs")]
        held = sum(_holds_answer(q, sessions, learned) for q in relevant)
        yield Figure(f"answers found, {kind}", f"{held} of {len(relevant)}")
    yield from _updates(questions, sessions, learned)
    count = sum(message.role == "user" for talk in talks.values() for message in talk)
    per_hundred = 100 * sum(map(len, learned.values())) / count
    speed = sum(map(len, talks.values())) / took
    yield Figure("facts per 100 messages of people", f"{per_hundred:.1f}")
    yield Figure("messages read per second", f"{speed:,.0f}", "≥ 2,000", speed >= 2_000)


def _updates(
    questions: Sequence[Mapping[str, Any]],
    sessions: Mapping[str, Mapping[str, Any]],
    learned: Mapping[str, Sequence[Learned]],
) -> Iterator[Figure]:
    """Counts replaced answers where both the old and the new one were learned, and replacements by unrelated facts."""

    def replaces(new: Learned, old: Learned) -> bool:
        return compare(new.text, old.text, overheard=True).kind == "update"

    relevant = [q for q in questions if q["question_type"] == KINDS[0] and len(q["answer_session_ids"]) > 1]
    kept = [[_of_evidence(id, sessions, learned) for id in q["answer_session_ids"]] for q in relevant]
    pairs = [(found[0], found[-1]) for found in kept if found[0] and found[-1]]
    replaced = sum(any(replaces(one, other) for one in new for other in old) for old, new in pairs)
    yield Figure("old answer replaced, if both were found", f"{replaced} of {len(pairs)}")
    strangers = [one for old, _ in pairs for one in old]
    others = [one for found in list(learned.values())[::_EVERY] for one in found if one not in strangers]
    wrong = sum(replaces(one, other) for one in others[::_EVERY] for other in strangers)
    yield Figure(
        "… by unrelated facts, per 10,000 pairs",
        f"{10_000 * wrong / max(1, len(others[::_EVERY]) * len(strangers)):.1f}",
    )


def _of_evidence(
    id: str, sessions: Mapping[str, Mapping[str, Any]], learned: Mapping[str, Sequence[Learned]]
) -> list[Learned]:
    evidence = {f"{id}#{n}" for n, turn in enumerate(sessions[id]["turns"]) if turn.get("has_answer")}
    return [one for one in learned[id] if evidence.intersection(one.evidence)]


def main(arguments: Sequence[str]) -> int:
    rows = figures(Path(arguments[0]) if arguments else DATA)
    if not rows:
        print("The data sets were not found; name their folder.")
        return 2
    print(aligned([("extract", "", "", ""), *((f.name, f.value, f.target, VERDICTS[f.holds]) for f in rows)]))
    return 1 if any(f.holds is False for f in rows) else 0


def chats(task: Mapping[str, Any]) -> tuple[Chat, ...]:
    conversations: Sequence[Any] = task["conversations"]
    chats = conversations if isinstance(conversations[0], list) else [conversations]
    return tuple(chat(turns, f"{task['task_id']}/{n}", _DAY + timedelta(days=30 * n)) for n, turns in enumerate(chats))


def chat(turns: Sequence[Mapping[str, Any]], id: str, at: datetime = _DAY) -> Chat:
    return tuple(
        Message(f"{id}#{n}", turn["role"], turn.get("text") or turn.get("content") or "", at + timedelta(minutes=n))
        for n, turn in enumerate(turns)
    )


def _parse_date(text: str) -> datetime:
    """`2023/04/10 (Mon) 17:50`"""
    return datetime.strptime(re.sub(r" \(\w+\)", "", text), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


def _decided(chat: Chat) -> list[Learned]:
    """The facts learned from a person's messages after the first one, which describes the problem."""
    deciding = {message.id for message in chat[1:] if message.role == "user"}
    return [one for one in learn(chat) if one.subject != "user" and deciding.intersection(one.evidence)]


def _is_summed_up(one: Learned, chat: Chat) -> bool:
    summaries = [message.text for message in chat if message.role == "assistant"][-_LAST_WORDS:]
    summary_words = set(content_words(" ".join(summaries)))
    # A one-word answer may have no content words.
    words = set(content_words(one.quote)) or set(one.quote.lower().strip(" .").split())
    return len(words & (summary_words | set(" ".join(summaries).lower().split()))) >= _ABOUT * len(words)


def _holds_answer(
    question: Mapping[str, Any], sessions: Mapping[str, Mapping[str, Any]], learned: Mapping[str, Sequence[Learned]]
) -> bool:
    """Does a fact learned from the answering messages contain half of the words of the answer?"""
    answer = _answer_words(str(question["answer"]))
    least = _ENOUGH_OF_ANSWER if question["question_type"] != "single-session-preference" else 0.1
    found = (one for id in question["answer_session_ids"] for one in _of_evidence(id, sessions, learned))
    return any(len(answer & _answer_words(one.text)) >= least * len(answer) for one in found)


def _answer_words(text: str) -> set[str]:
    return {_FIGURES.get(word, word) for word in content_words(text)} or set(text.lower().split())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
