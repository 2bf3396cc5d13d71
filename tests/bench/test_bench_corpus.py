from __future__ import annotations

from pathlib import Path

import numpy as np

from holdfast.bench import corpus


def test_the_same_seed_gives_the_same_texts() -> None:
    assert corpus.build(50) == corpus.build(50)
    assert corpus.build(50) != corpus.build(50, seed=1)


def test_every_memory_says_something_else() -> None:
    notes = corpus.build(500).notes

    assert len({note.text for note in notes}) == 500
    assert {note.type for note in notes} == set(corpus.TYPES)


def test_no_slot_is_left_open() -> None:
    made = corpus.build(300)

    assert not [text for text in (*made.messages, *made.questions) if "{" in text]
    assert not [note for note in made.notes if "{" in note.text]


def test_a_saved_corpus_comes_back_with_its_vectors(tmp_path: Path) -> None:
    made = corpus.build(20, more=5, messages=5, questions=5)

    corpus.save(made, tmp_path)
    read, vectors = corpus.load(tmp_path)

    assert read == made
    assert {name: rows.shape for name, rows in vectors.items()} == {
        "notes": (20, corpus.DIMENSIONS),
        "more": (5, corpus.DIMENSIONS),
        "questions": (5, corpus.DIMENSIONS),
    }
    assert np.allclose(np.linalg.norm(vectors["notes"], axis=1), 1, atol=1e-5)
