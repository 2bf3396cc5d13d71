"""The data sets of the recall benchmark: their loaders, their main figures and their floors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from bench.recall import dialogues, everyday, functions, languages, longmemeval, markdown, named, sde
from bench.recall.everyday import FIRST, SILENT, WITHHELD
from bench.recall.pool import Pool

# Loads a set from the folder of all sets, with that number of questions; None if its data is missing.
Load = Callable[[Path, int], Pool | None]
# Without --full, one of this many meetings is measured.
_MEETINGS = 4
SETS: Mapping[str, Load] = {
    "longmemeval": longmemeval.load,
    "friends": dialogues.friends,
    "meetings": lambda data, sample: dialogues.meetings(data, sample, every=_MEETINGS),
    "sde": sde.load,
    "code": functions.load,
    "markdown": markdown.load,
    "named": lambda data, sample: named.load(sample),
    "everyday": lambda data, sample: everyday.load(sample),
    "french": lambda data, sample: languages.load("french", sample),
    "chinese": lambda data, sample: languages.load("chinese", sample),
}
FULL: Mapping[str, Load] = {**SETS, "meetings": dialogues.meetings}

_CHARACTERS = "reference characters in 5 chunks"
_FIRST_FIVE = "correct memory in the first 5"
# The title and the main figures of each set. The first figure enters the mean over all sets.
MAIN: Mapping[str, tuple[str, tuple[str, ...]]] = {
    longmemeval.NAME: ("LongMemEval", ("turn recall@10", "session recall@5")),
    dialogues.FRIENDS: ("FriendsQA", ("turn recall@10",)),
    dialogues.MEETINGS: ("QMSum", ("turn recall@10",)),
    sde.NAME: ("sde-bench", ("deciding chat first",)),
    functions.NAME: ("CoSQA", ("MRR@10",)),
    markdown.NAME: ("markdown-qa", (_CHARACTERS,)),
    named.NAME: ("named documents", (named.FIRST,)),
    everyday.NAME: ("everyday", (FIRST, SILENT, WITHHELD)),
    "french": ("French", (_FIRST_FIVE,)),
    "chinese": ("Chinese", (_FIRST_FIVE,)),
}
FLOORS: Mapping[str, Mapping[str, float]] = {
    longmemeval.NAME: {"session recall@5": 0.88, "turn recall@10": 0.88, "newest first": 0.80},
    sde.NAME: {
        "deciding chat first": 17 / 18,
        "later rule above the earlier": 1.0,
        "the person's deciding messages in the pack": 0.80,
    },
    functions.NAME: {"MRR@10": 0.53},
    markdown.NAME: {_CHARACTERS: 0.92},
    everyday.NAME: {FIRST: 0.85, SILENT: 0.85, WITHHELD: 0.05},
    "french": {_FIRST_FIVE: 0.80},
    "chinese": {_FIRST_FIVE: 0.80},
    "typos": {"share kept": 0.90},
    "abstention": {"unrelated questions, both stores": 0.95, "evidence removed": 0.72},
}
# The sets and figures of the ablation, under short names.
SHORT = {
    longmemeval.NAME: "LME",
    dialogues.FRIENDS: "Friends",
    dialogues.MEETINGS: "QMSum",
    sde.NAME: "sde",
    functions.NAME: "code",
    markdown.NAME: "md",
    named.NAME: "named",
    everyday.NAME: "everyday",
    everyday.AMONG: "everyday in 1,000",
}
FIGURES = {
    "session recall@5": "S@5",
    "turn recall@10": "T@10",
    "newest first": "newest",
    "deciding chat first": "first",
    "later rule above the earlier": "later",
    "MRR@10": "MRR",
    _CHARACTERS: "chars",
    named.FIRST: "first",
    FIRST: "first",
    SILENT: "silent",
    WITHHELD: "withheld",
}
