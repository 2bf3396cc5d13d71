"""Pairs of inference: how each format is read and what is taken."""

import json
import random
import re
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from training.inference_pairs import LONGEST_HYPOTHESIS, LONGEST_PREMISE, collected, row, unambiguous
from training.inference_sets import (
    Clusters,
    Inference,
    PairSet,
    Reader,
    Table,
    agreed,
    json_lines,
    prompts,
    quoted_tab_separated,
    tab_separated,
    zipped_json_lines,
)
from training.sources import Mirrors, sources

from training import sources as module

REPOSITORY = "owner/name"
LINES = [
    {"premise": "The shop is open.", "hypothesis": "The shop is shut.", "label": "contradiction"},
    {"premise": "The shop is open.", "hypothesis": "The shop sells tea.", "label": "-"},
]
TABLE = 'premise\thypothesis\tlabel\nA "red" door.\tA door.\tEntailment\nNo label.\tNone here.\n'
QUOTED = 'premise\thypothesis\tlabel\n"A ""red"" door."\tA door.\tneutral\n'
NEGATED = "premise\thypothesis\nIt rains.\tIt does not rain.\n"
REVIEWED = "premise\thypothesis\tlabel\tannotated_label\na b\tc\tneutral\tneutral\na b\td\tneutral\tentailment\n"
PROMPTS = [
    {"sentence": "sentence 1: Ann sleeps.\nsentence 2: Ann is awake.", "label": "contradiction"},
    {"sentence": "Ann sleeps.", "label": "neutral"},
]
CLAIMS = [
    {"cId": 1, "perspectives": [{"pids": [1, 2]}, {"pids": [3, 9]}]},
    {"cId": 2, "perspectives": [{"pids": [1, 3]}]},
]


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a clone of a small repository that has a file of each format, and the list of sources."""
    folder = tmp_path_factory.mktemp("mirrors")
    work = folder / "owner+name"
    work.mkdir()
    lines = "".join(json.dumps(line) + "\n" for line in LINES)
    texts = {
        "lines.jsonl": lines,
        "table.tsv": "\ufeff" + TABLE,
        "quoted.tsv": QUOTED,
        "negated.tsv": NEGATED,
        "reviewed.tsv": REVIEWED,
        "prompts.json": json.dumps(PROMPTS),
        "dataset_split_v1.0.json": json.dumps({"1": "train", "2": "test"}),
        "perspective_pool_v1.0.json": json.dumps([{"pId": n, "text": f"View {n}."} for n in (1, 2, 3)]),
        "perspectrum_with_answers_v1.0.json": json.dumps(CLAIMS),
        "many.jsonl": "".join(
            json.dumps({"premise": f"Room {n} is warm.", "hypothesis": "It is warm.", "label": "entailment"}) + "\n"
            for n in range(50)
        ),
    }
    (work / "data").mkdir()
    for name, content in texts.items():
        (work / "data" / name).write_text(content, encoding="utf-8")
    with zipfile.ZipFile(work / "data" / "lines.zip", "w") as archive:
        archive.writestr("data/README.txt", "about")
        archive.writestr("data/dataset.jsonl", lines)
    git = ["git", "-C", str(work), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    entry = dict.fromkeys(("licence", "stated_in", "used", "attribution"), "a")
    (folder / "sources.json").write_text(json.dumps([{"repository": REPOSITORY, "commit": commit, **entry}]))
    return folder


@pytest.fixture
def mirrors(clones: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirrors]:
    monkeypatch.setattr(module, "SOURCES", clones / "sources.json")
    sources.cache_clear()
    yield Mirrors(clones)
    sources.cache_clear()


def table(name: str, read: Reader) -> Table:
    return Table(REPOSITORY, (f"data/{name}",), read)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (table("lines.jsonl", json_lines), ("The shop is open.", "The shop is shut.", "conflict")),
        (table("lines.zip", zipped_json_lines), ("The shop is open.", "The shop is shut.", "conflict")),
        (table("table.tsv", tab_separated), ('A "red" door.', "A door.", "entailment")),
        (table("quoted.tsv", quoted_tab_separated), ('A "red" door.', "A door.", "neutral")),
        (table("reviewed.tsv", agreed), ("a b", "c", "neutral")),
        (table("prompts.json", prompts), ("Ann sleeps.", "Ann is awake.", "conflict")),
        (
            Table(REPOSITORY, ("data/negated.tsv",), tab_separated, ("premise", "hypothesis", ""), {"": "conflict"}),
            ("It rains.", "It does not rain.", "conflict"),
        ),
    ],
)
def test_each_format_gives_its_labelled_pairs(mirrors: Mirrors, part: Table, expected: tuple[str, str, str]) -> None:
    assert list(part.pairs(mirrors, random.Random(0))) == [Inference(*expected)]


def test_clusters_of_training_claims_give_paraphrases_and_as_many_others(mirrors: Mirrors) -> None:
    same, other = Clusters(REPOSITORY, "data").pairs(mirrors, random.Random(0))
    assert same == Inference("View 1.", "View 2.", "paraphrase")
    assert (other.premise in ("View 1.", "View 2."), other.hypothesis, other.label) == (
        True,
        "View 3.",
        "not_paraphrase",
    )


def test_a_pair_is_taken_once_and_only_with_one_label() -> None:
    pairs = [
        Inference("It  rains.", "It is wet.", "entailment"),
        Inference("It rains.", "It is\nwet.", "entailment"),
        Inference("It snows.", "It is cold.", "entailment"),
        Inference("It snows.", "It is cold.", "neutral"),
        Inference("It hails.", "it hails.", "conflict"),
        Inference("It thaws.", "it thaws.", "paraphrase"),
        Inference(" ", "It is late.", "neutral"),
    ]
    assert unambiguous(pairs) == [
        Inference("It rains.", "It is wet.", "entailment"),
        Inference("It thaws.", "it thaws.", "paraphrase"),
    ]


def test_sets_are_limited_and_shuffled_in_the_same_way_every_time(mirrors: Mirrors) -> None:
    many = table("many.jsonl", json_lines)
    sets = (PairSet("many", (many,), most=20), PairSet("doors", (table("table.tsv", tab_separated),)))
    found = collected(mirrors, sets)
    names = [name for name, _ in found]
    assert (names.count("many"), names.count("doors")) == (20, 1)
    numbers = [int(digits[0]) for _, pair in found if (digits := re.findall(r"\d+", pair.premise))]
    assert numbers != sorted(numbers)
    assert collected(mirrors, sets) == found


@pytest.mark.parametrize(
    ("premise", "hypothesis", "kept"),
    [
        (LONGEST_PREMISE, LONGEST_HYPOTHESIS, 1),
        (LONGEST_PREMISE + 1, LONGEST_HYPOTHESIS, 0),
        (LONGEST_PREMISE, LONGEST_HYPOTHESIS + 1, 0),
    ],
)
def test_long_texts_are_left_out(mirrors: Mirrors, premise: int, hypothesis: int, kept: int) -> None:
    def one(_: bytes) -> list[dict[str, str]]:
        return [{"premise": "p" * premise, "hypothesis": "h" * hypothesis, "label": "neutral"}]

    assert len(collected(mirrors, [PairSet("long", (table("lines.jsonl", one),))])) == kept


def test_the_hypothesis_is_the_newer_statement() -> None:
    assert row(Inference("old", "new", "conflict")) == {
        "task": "relation",
        "group": "inference",
        "label": "conflict",
        "a": "new",
        "b": "old",
    }
