"""The names benchmark: spans, scores and fitting."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from bench.entities import Sentence, blocks, read, score
from training.fit.entities import fit

from bench import entities
from holdfast.core.entity import Mention
from holdfast.entities.statistical import StatisticalReader

DATA = Path(__file__).parents[3] / "shared" / "data"


def written(folder: Path, *rows: tuple[list[str], list[str]]) -> Path:
    path = folder / entities.SET
    path.parent.mkdir()
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps({"tokens": tokens, "tags": tags}) + "\n" for tokens, tags in rows)
    return path


def test_spans_are_read_with_their_labels(tmp_path):
    tokens = ["use", "Visual", "Studio", "with", "a", "button", "Python", "3"]
    tags = ["O", "B-Application", "I-Application", "O", "O", "B-User_Interface_Element", "B-Language", "B-Version"]
    (one,) = read(written(tmp_path, (tokens, tags)))
    assert {(one.text[start:end], label) for start, end, label in one.names} == {
        ("Visual Studio", "application"),
        ("Python", "language"),
        ("3", "version"),
    }


def test_a_span_counts_only_when_it_is_exact():
    sentence = Sentence("use Visual Studio", frozenset({(4, 17, "application")}), 0)
    exact = Mention("Visual Studio", 4, 17, "application", 0.9)
    short = exact._replace(text="Visual", end=10)
    assert score([sentence], [[exact]])["all"] == (1, 1, 1)
    assert score([sentence], [[short]])["all"] == (0, 0, 0)
    assert score([sentence], [[exact, short]])["application"] == (0.5, 1, 2 / 3)


def test_documents_stay_together_in_a_block():
    sentences = [Sentence("x", frozenset(), document) for document in range(10) for _ in range(3)]
    folds = blocks(sentences)
    assert sorted(set(folds)) == list(range(entities.FOLDS))
    assert all(
        len({fold for fold, one in zip(folds, sentences, strict=True) if one.document == d}) == 1 for d in range(10)
    )


def test_fitting_learns_the_context_of_a_name():
    said = [f"we deploy {name} to production today" for name in ("zork", "blip", "quux", "frob")]
    sentences = [Sentence(text, frozenset({(10, 14, "application")}), 0) for text in said]
    sentences += [Sentence("we walk home to dinner today", frozenset(), 0)] * 4
    reader = StatisticalReader(fit(sentences))
    assert [(m.text, m.label) for m in reader.read("we deploy narf to production today")] == [("narf", "application")]
    assert reader.read("we walk home to dinner today") == []


def test_an_unseen_file_is_measured_with_the_shipped_model(tmp_path):
    written(tmp_path, (["in", "Python", "3"], ["O", "B-Language", "B-Version"]))
    by_type, speed = entities.tables(tmp_path)
    assert "shipped model" in by_type.title
    assert next(row.p50 for row in by_type.rows if row.name == "language") == 1
    assert speed.rows[0].unit == "µs"
    assert entities.tables(tmp_path / "nowhere") == ()


def test_the_shipped_table_was_fitted_on_the_set_we_have():
    if not (DATA / entities.SET).is_file():
        pytest.skip("the corpus is not on this machine")
    import hashlib

    assert entities.fitted_on() == hashlib.sha256((DATA / entities.SET).read_bytes()).hexdigest()
