"""Collects real statements that are near each other but have nothing to do with each other, as the reader's examples.

python -m training.neighbours --data ../shared/data --out training/work/neighbours.jsonl.xz

Statements are the passages of written worlds, what is learned from real conversations, and sentences of coding sessions
and documents. Two statements of one source that are close by their vectors are a pair. Pairs that share most of their
words are left out: they may say the same, or one may change the other. The rest is labelled `different` without a look
at each; of 60 drawn pairs, two were not. Some pairs of LongMemEval are real updates; leave that set out, or label it,
before the next training. sde-bench is never read, so that it can tell whether unrelated statements are kept apart.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from bench.conversation.extract import chat
from bench.recall.pool import read_lines

from holdfast.learn.keep.rule_extractor import learn
from holdfast.models.choice import bundled_embedder
from holdfast.text.similarity import content_words
from training.pair_files import report, write_lines
from training.worlds import development, worlds

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_SHORTEST, _LONGEST = 15, 300
_NEAREST, _LEAST_COSINE, _MOST_COSINE, _MOST_SHARED = 3, 0.3, 0.95, 0.6
_MOST = {"world": 3_000, "longmemeval": 2_500, "code": 1_200, "dialogue": 1_000, "document": 1_200}
_OLDER = 0.7


def statements(data: Path) -> Iterator[tuple[str, str]]:
    """Groups and their statements; a group's name begins with its kind."""
    chance = random.Random(4)
    for world in worlds():
        if not development(world):
            yield from ((f"world:{world.name}", text) for text in world.passages.values())
    for row in read_lines(data / "longmemeval" / "sessions.jsonl.gz"):
        yield from (("longmemeval:", one.text) for one in learn(chat(row["turns"], row["session_id"])))
    for row in read_lines(data / "dialogue-qa" / "dialogues.jsonl.gz"):
        turns = [{"role": "user", "content": f"{turn['speaker']}: {turn['text']}"} for turn in row["turns"]]
        yield from ((f"dialogue:{row['id']}", one.text) for one in learn(chat(turns, row["id"])))
    for name in ("go-cli", "typescript-app"):
        rows = list(read_lines(data / "coding-sessions" / f"{name}.jsonl.gz"))
        talk = [
            e for row in rows[: int(_OLDER * len(rows))] for e in row["events"] if e["kind"] in ("user", "assistant")
        ]
        found = [text for event in talk for text in _sentences(event.get("text") or "")]
        yield from ((f"code:{name}", text) for text in chance.sample(found, len(found) // 12))
    for row in read_lines(data / "markdown-qa" / "corpora.jsonl.gz"):
        found = _sentences(row["text"])
        yield from ((f"document:{row['corpus_id']}", text) for text in chance.sample(found, min(600, len(found))))


def _sentences(text: str) -> list[str]:
    found = (each.strip(" -*#") for each in _SENTENCE.split(text))
    return [each for each in found if any(map(str.islower, each)) and "|--" not in each]


def neighbours(data: Path) -> Iterator[dict[str, str]]:
    """Pairs of statements of one group, near each other, in either order."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for group, text in dict.fromkeys(statements(data)):
        if _SHORTEST <= len(text) <= _LONGEST:
            groups[group].append(text)
    chance, embedder = random.Random(8), bundled_embedder("small")
    for group, texts in groups.items():
        vectors = np.asarray(embedder.embed(texts))
        cosines = vectors @ vectors.T
        for n, row in enumerate(cosines):
            for other in map(int, np.argsort(-row)[1 : _NEAREST + 1]):
                pair = (texts[n], texts[other])
                if _LEAST_COSINE <= row[other] <= _MOST_COSINE and _shared(*pair) <= _MOST_SHARED:
                    a, b = chance.sample(pair, 2)
                    yield {"group": group, "a": a, "b": b}


def _shared(one: str, other: str) -> float:
    words = content_words(one), content_words(other)
    return len(words[0] & words[1]) / max(1, min(map(len, words)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    found = list({frozenset((row["a"], row["b"])): row for row in neighbours(options.data)}.values())
    random.Random(5).shuffle(found)
    taken: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for row in found:
        kind = row["group"].partition(":")[0]
        if len(taken[kind]) < _MOST[kind]:
            taken[kind].append(row)
    rows = [row for each in taken.values() for row in each]
    write_lines(options.out, [json.dumps(row, ensure_ascii=False) for row in rows])
    report(Counter({kind: len(each) for kind, each in taken.items()}), options.out)


if __name__ == "__main__":
    main()
