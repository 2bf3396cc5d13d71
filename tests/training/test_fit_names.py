"""The model of names is fitted on samples that are labelled as meant, and the package's one is complete."""

from __future__ import annotations

import random

import numpy as np
import pytest
from training.fit.logistic import logistic, sigmoid, sparse
from training.fit.names_samples import PERSON, SETS, THING, TIME, WORD, contexts, drawn, labelled

from holdfast.entities.name_or_word import FORMS, MEANINGS, name_model


def test_every_context_has_one_place() -> None:
    lines = (SETS / "names_contexts.txt").read_text(encoding="utf-8").splitlines()
    assert {line.count("_") for line in lines if not line.startswith("# ")} == {1}
    assert {sample.sense for sample in contexts()} == {PERSON, THING, TIME, WORD}


def test_words_are_labelled_by_lists() -> None:
    texts = ["We asked Tomasz on Friday whether the train to Norway stops here.", "Invoices from Norway are late."]
    found = {(sample.word, sample.sense) for sample in drawn(texts, random.Random(1)) if sample.form != "small"}
    assert found == {("tomasz", PERSON), ("friday", TIME), ("norway", THING), ("invoices", WORD)}


def test_lines_put_aside_are_not_fitted_on() -> None:
    rows = labelled()
    assert sum(row.file == "fresh" for row in rows) == 80
    assert not {"Mark Ostrander", "Bill Nakamura"} & {row.person for row in rows}


def test_logistic_regression_separates_labels() -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is installed only where models are fitted")
    rows, labels = sparse([[0, 1], [0, 2], [0, 3]] * 20, 4), np.array([0, 1, 2] * 20)
    weights = logistic(rows, labels, 0.1, np.ones(60))
    assert [int((weights[:, 0] + weights[:, feature]).argmax()) for feature in (1, 2, 3)] == [0, 1, 2]


def test_two_labels_have_one_row_of_weights_beside_dense_columns() -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is installed only where models are fitted")
    rows = sparse([[0], [0, 1], [1], [2]] * 5, 3, np.ones((20, 1), np.float32))
    labels = np.array([1.0, 1.0, 0.0, 0.0] * 5)
    weights = logistic(rows, labels, 0.01)
    assert weights.shape == (4,)
    assert ((sigmoid(rows @ weights) > 0.5) == labels).all()


def test_the_model_of_the_package_is_complete() -> None:
    model = name_model()
    assert {(meaning, form) for meaning in model.biases for form in model.biases[meaning]} == {
        (meaning, form) for meaning in MEANINGS for form in FORMS
    }
    assert all(len(weight) == 3 for weight in model.weights.values())
