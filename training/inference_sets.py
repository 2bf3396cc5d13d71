"""The public sets of natural-language inference and of paraphrases: where their files are, and how they are read.

A set is one or more tables (`Table`) or clusters of texts with one meaning (`Clusters`). Labels are those of the rows
that are written: `entailment`, `neutral`, `conflict`, `paraphrase`, `not_paraphrase`. A row whose label is not in a
table's map is left out.
"""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from training.sources import Mirrors

Record = Mapping[str, Any]
Reader = Callable[[bytes], Iterable[Record]]

_INFERENCE = {"entailment": "entailment", "neutral": "neutral", "contradiction": "conflict"}


@dataclass(frozen=True)
class Inference:
    """Two texts, and what the first, the premise, says about the second, the hypothesis."""

    premise: str
    hypothesis: str
    label: str


def tab_separated(content: bytes) -> Iterator[Record]:
    """Lines with a header; quotation marks are part of the text."""
    return csv.DictReader(io.StringIO(_text(content)), delimiter="\t", quoting=csv.QUOTE_NONE, restval="")


def quoted_tab_separated(content: bytes) -> Iterator[Record]:
    """Lines with a header; a text may be in quotation marks."""
    return csv.DictReader(io.StringIO(_text(content)), delimiter="\t", restval="")


def json_lines(content: bytes) -> Iterator[Record]:
    # Not splitlines: a text may hold other characters that end a line.
    return (json.loads(line) for line in _text(content).split("\n") if line.strip())


def zipped_json_lines(content: bytes) -> Iterator[Record]:
    """The only file of lines of JSON in an archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".jsonl"))
        return json_lines(archive.read(name))


def agreed(content: bytes) -> Iterator[Record]:
    """The rows whose label was chosen again by a second annotator."""
    return (row for row in tab_separated(content) if row["label"] == row["annotated_label"])


def prompts(content: bytes) -> Iterator[Record]:
    """A list in which both sentences are parts of one text."""
    for row in json.loads(_text(content)):
        first, second, hypothesis = row["sentence"].partition("\nsentence 2: ")
        if second and first.startswith("sentence 1: "):
            yield {"premise": first.removeprefix("sentence 1: "), "hypothesis": hypothesis, "label": row["label"]}


@dataclass(frozen=True)
class Table:
    """Files of a repository with a row for each pair: the columns of premise, hypothesis and label, if there is one."""

    repository: str
    paths: tuple[str, ...]
    read: Reader
    columns: tuple[str, str, str] = ("premise", "hypothesis", "label")
    labels: Mapping[str, str] = field(default_factory=lambda: _INFERENCE)

    def pairs(self, mirrors: Mirrors, _: random.Random) -> Iterator[Inference]:
        premise, hypothesis, stated = self.columns
        for path in self.paths:
            for row in self.read(mirrors.read(self.repository, path)):
                label = self.labels.get(row[stated].strip().lower() if stated else "")
                if label:
                    yield Inference(row[premise], row[hypothesis], label)


@dataclass(frozen=True)
class Clusters:
    """Perspectrum: claims, each with clusters of perspectives that mean the same. Only claims to train on are read.

    Two perspectives of one cluster are a paraphrase. Two that are drawn from different clusters of a claim are none;
    a claim gives no more of these than paraphrases, but at least one.
    """

    repository: str
    folder: str

    def pairs(self, mirrors: Mirrors, draw: random.Random) -> Iterator[Inference]:
        parts = mirrors.json(self.repository, f"{self.folder}/dataset_split_v1.0.json")
        pool = mirrors.json(self.repository, f"{self.folder}/perspective_pool_v1.0.json")
        texts = {entry["pId"]: entry["text"] for entry in pool}
        for claim in mirrors.json(self.repository, f"{self.folder}/perspectrum_with_answers_v1.0.json"):
            if parts.get(str(claim["cId"])) == "train":
                clusters = [[texts[n] for n in each["pids"] if n in texts] for each in claim["perspectives"]]
                yield from _of_claim([cluster for cluster in clusters if cluster], draw)


def _of_claim(clusters: list[list[str]], draw: random.Random) -> Iterator[Inference]:
    same = [pair for cluster in clusters for pair in combinations(cluster, 2)]
    yield from (Inference(one, other, "paraphrase") for one, other in same)
    unlike = list(combinations(clusters, 2))
    for one, other in draw.sample(unlike, min(len(unlike), max(1, len(same)))):
        yield Inference(draw.choice(one), draw.choice(other), "not_paraphrase")


def _text(content: bytes) -> str:
    return content.decode("utf-8-sig", "replace")


@dataclass(frozen=True)
class PairSet:
    """A set: its parts, and how many of its pairs are drawn at most."""

    name: str
    parts: tuple[Table | Clusters, ...]
    most: int | None = None


_SENTENCES = ("sentence1", "sentence2", "gold_label")
_LABEL_AS_TEXT = ("premise", "hypothesis", "label_text")
_CANNOT = "dmlls/cannot-dataset"
_NEGATED = (
    *(f"datasets/wikifactcheck-english/processed/wikifactcheck_english_{n}.tsv" for n in range(5)),
    "datasets/sentiment-labelled-sentences/processed/sentiment_labelled_sentences.tsv",
)
_ANTONYMS = ("datasets/antonym-substitution/processed/sem_anto_neg.tsv",)

SNLI_PARTS = Table(
    "nyu-mll/CNLI-generalization",
    tuple(f"data/preprocessed/data/snlisub{n}/train.jsonl" for n in range(5)),
    json_lines,
    _SENTENCES,
)
REVISED = Table("acmi-lab/counterfactually-augmented-data", ("NLI/all_combined/train.tsv",), tab_separated, _SENTENCES)
TEMPORAL = Table(
    "t-hoso/temporal_natural_language_inference",
    tuple(f"tnli/data/folds/dataset{n}.tsv" for n in range(1, 6)),
    tab_separated,
    _SENTENCES,
    {"support": "entailment", "neutral": "neutral", "invalidate": "conflict"},
)
NEGATION = Table(
    "mosharafhossain/negation-and-nli",
    tuple(f"data/new_benchmarks/clean_data/{name}.txt" for name in ("SNLI", "MNLI")),
    tab_separated,
    ("Text", "Hypothesis", "gold_label"),
)
TAXONOMY = Table("microsoft/TaxiNLI", ("taxinli10k.tsv",), agreed, ("prem", "hyp", "label"))
MNLI_PART = Table("cmnfriend/O-LoRA", ("CL_Benchmark/NLI/MNLI/train.json",), prompts)
CONJUNCTIONS = Table(
    "swarnaHub/ConjNLI",
    ("data/NLI/adversarial_train_15k.tsv",),
    tab_separated,
    ("Premise", "Hypothesis", "Label"),
)
REPLACED_WORDS = Table("BIU-NLP/Breaking_NLI", ("breaking_nli_dataset.zip",), zipped_json_lines, _SENTENCES)
NEGATED = Table(_CANNOT, _NEGATED, quoted_tab_separated, ("sentence", "negated", ""), {"": "conflict"})
ANTONYMS = Table(_CANNOT, _ANTONYMS, quoted_tab_separated, labels={"1": "conflict", "0": "paraphrase"})
PERSPECTIVES = Clusters("CogComp/perspectrum", "data/dataset")
RTE_3 = Table("mskandalis/rte3-french", ("RTE3-FR-dev-set-3class.tsv",), quoted_tab_separated, _LABEL_AS_TEXT)
QUANTIFIERS = Table("mskandalis/gqnli-french", ("gqnli.test.fr.tsv",), quoted_tab_separated, _LABEL_AS_TEXT)
FACT_CHECKS = Table(
    "mskandalis/daccord-dataset-contradictions", ("daccord_dataset.tsv",), quoted_tab_separated, _LABEL_AS_TEXT
)

SETS = (
    PairSet("snli_sub", (SNLI_PARTS,)),
    PairSet("cad_nli", (REVISED,)),
    PairSet("tnli_temporal", (TEMPORAL,), most=8_000),
    PairSet("negation_nli", (NEGATION,)),
    PairSet("taxinli", (TAXONOMY,)),
    PairSet("mnli_sub", (MNLI_PART,)),
    PairSet("conjnli_adv", (CONJUNCTIONS,), most=8_000),
    PairSet("breaking_nli", (REPLACED_WORDS,), most=4_000),
    PairSet("cannot_negation", (NEGATED, ANTONYMS), most=5_000),
    PairSet("perspectrum_paraphrase", (PERSPECTIVES,), most=8_000),
    PairSet("rte3_fr", (RTE_3,)),
    PairSet("gqnli_fr", (QUANTIFIERS,)),
    PairSet("daccord_fr", (FACT_CHECKS,)),
)
