"""The commits that an agent made in its session, and what their messages say about the project.

The journal has every `git commit` with its answer, so that no hook of git is needed.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from holdfast.observer.observation_summaries import capitalised
from holdfast.text.patterns import compiled
from holdfast.text.sentence_ends import split_prose
from holdfast.text.similarity import overlap, supports

FIX, DECISION = "commit_fix", "commit_decision"
_ANSWER = r"(?m)^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] "
# Where a sentence of a text that an agent read ends: lines may be wrapped, and numbered by the agent's tool.
_READ_SENTENCE = r"(?<=[.!?])\s+|\n\s*\n|\n\s*(?:[-*#>]|\d+\.)\s"
# The share of words from which on a sentence says its title again.
_REPEATED = 0.3
_SHORTEST, _LONGEST, _LEAST_WORDS, _MESSAGE = 30, 300, 6, 1_200
_FILE = os.path.join(os.path.dirname(__file__), "data", "commit_messages.json")


class CommitStatement(NamedTuple):
    """What a commit's message says: its kind (a fix or a decision), a text that can be read alone, and its sentence."""

    kind: str
    text: str
    sentence: str


def commit_message(command: str) -> str:
    """The message of a `git commit` in a command; empty if the command has none, or reads it from elsewhere."""
    _, found, rest = command.partition("git commit")
    if not found:
        return ""
    text = _here_document(rest)
    message = (text if text is not None else _option(rest)).strip()
    # A here-string of PowerShell begins and ends with this sign.
    return message.removeprefix("@").removesuffix("@").strip()[:_MESSAGE]


def commit_id(output: str) -> str:
    """The id that git answered a commit with; empty if it made none."""
    found = compiled(_ANSWER).search(output)
    return found[1] if found else ""


def statements(message: str) -> Iterator[CommitStatement]:
    """The fix that a message names with its cause, or else the first decision with its reason; often neither."""
    subject, _, body = message.partition("\n")
    subject, sentences = subject.strip().rstrip("."), list(_sentences(body))
    if compiled(_rules()["fix"]).search(subject):
        cause = next((one for one in sentences if _is_cause(one) and not _says_again(one, subject)), None)
        if cause is not None:
            yield CommitStatement(FIX, f"Fixed: {_plain(subject)}. {cause}", cause)
        return
    # A review, a linter or the documentation asks for another form of the same: that decides little.
    is_form = compiled(_rules()["form"]).search(subject) is not None
    decided = next((one for one in sentences if _is_decision(one)), None)
    if decided is not None and not is_form:
        title = _plain(subject)
        repeated = overlap(title, decided) >= _REPEATED
        yield CommitStatement(DECISION, decided if repeated else f"{title}: {decided}", decided)


def repeats(sentence: str, text: str) -> bool:
    """Does a text have a sentence with the words of this one? Then it is that text's, not the agent's."""
    return supports(text, sentence) and any(supports(one, sentence) for one in compiled(_READ_SENTENCE).split(text))


def _is_cause(sentence: str) -> bool:
    """Does a sentence say why something was wrong, rather than what was done?"""
    said = {rule: compiled(_rules()[rule]).search(sentence) is not None for rule in ("cause", "done", "reason")}
    return said["cause"] and (said["reason"] or not said["done"])


def _says_again(sentence: str, subject: str) -> bool:
    """Does a sentence begin with a word of the title? It then says what was done."""
    return sentence.split(maxsplit=1)[0].lower() in subject.lower().split()


def _is_decision(sentence: str) -> bool:
    """Does a sentence give a reason, or name a choice about more than what the interface looks or looked like?"""
    rules = ("decision", "choice", "looks", "symptom", "checked")
    said = {rule: compiled(_rules()[rule]).search(sentence) is not None for rule in rules}
    chosen = said["choice"] and not said["looks"] and not said["symptom"]
    return (said["decision"] or chosen) and not said["checked"]


def _plain(subject: str) -> str:
    """The subject without the mark of its kind."""
    for rule in ("fix", "kind"):
        subject = compiled(_rules()[rule]).sub("", subject)
    return capitalised(subject)


def _sentences(body: str) -> Iterator[str]:
    for paragraph in _paragraphs(body):
        for sentence in split_prose(paragraph):
            is_long_enough = _SHORTEST <= len(sentence) <= _LONGEST and len(sentence.split()) >= _LEAST_WORDS
            if is_long_enough and not sentence.endswith(":"):
                yield sentence if sentence.endswith((".", "!", "?")) else sentence + "."


def _paragraphs(body: str) -> Iterator[str]:
    """The paragraphs and list items of a message, each on one line, without trailers."""
    lines: list[str] = []
    for line in [*body.splitlines(), ""]:
        text = line.strip()
        item = text.startswith(("- ", "* "))
        if (not text or item) and lines:
            yield " ".join(lines)
            lines = []
        if text and not compiled(_rules()["trailer"]).search(text):
            lines.append(text.removeprefix("- ").removeprefix("* "))
    if lines:
        yield " ".join(lines)


def _here_document(text: str) -> str | None:
    _, found, rest = text.partition("<<")
    first, line_break, lines = rest.partition("\n")
    mark = first.lstrip("-").strip().strip("'\"")
    if not found or not line_break or not mark.isidentifier():
        return None
    text, whole, _ = lines.partition(f"\n{mark}")
    # A recorded command may be cut: what follows the last sentence or list item is then not whole.
    return text if whole else text[: max(text.rfind(end) + 1 for end in (".\n", ". ", "\n\n", "\n- "))]


def _option(text: str) -> str:
    """The texts of `-m`, each a paragraph."""
    try:
        words = shlex.split(text.split("&&", 1)[0])
    except ValueError:
        return ""
    pairs = pairwise(words)
    return "\n\n".join(value for name, value in pairs if name in ("-m", "-am", "--message"))


@cache
def _rules() -> dict[str, str]:
    with open(_FILE, encoding="utf-8") as opened:
        rules: dict[str, str] = json.load(opened)
    return rules
