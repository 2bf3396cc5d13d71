"""Pairs that were written, and pairs across languages."""

import random

from training.evaluation_sets import written
from training.sources import Mirrors
from training.translated_pairs import _section_pairs, entries

from training import written_pairs

CATALOGUE = """
msgid ""
msgstr "Project-Id-Version: Python 3"

#: library/x.rst:1
msgid "The function :func:`open <io.open>` returns a file object for reading."
msgstr ""
"La fonction :func:`open <io.open>` renvoie un objet fichier "
"ouvert en lecture."

msgid "Not translated yet, and therefore no pair at all."
msgstr ""
"""
LONG = "Une phrase assez longue pour que la section soit retenue, car les sections courtes ne disent rien. " * 2


def test_translated_entries_lose_their_markup():
    assert list(entries(CATALOGUE)) == [
        (
            "The function open returns a file object for reading.",
            "La fonction open renvoie un objet fichier ouvert en lecture.",
        )
    ]


def test_a_heading_is_paired_with_the_section_in_the_other_language():
    english = f"# Pods\n{LONG}\n## Restart a pod\n{LONG}"
    french = f"# Pods\n{LONG}\n## Redémarrer un pod\n{LONG}"
    asked = {pair.question for pair in _section_pairs("a/b", english, french, random.Random(3))}
    assert asked <= {"Pods", "Pods: Restart a pod", "Pods: Redémarrer un pod"}
    assert len(asked) == 2
    assert not list(_section_pairs("a/b", english, f"# Pods\n{LONG}", random.Random(3)))


def test_written_lines_have_questions_and_neighbours(tmp_path, monkeypatch):
    monkeypatch.setattr(written_pairs, "FOLDER", tmp_path)
    (tmp_path / "train-1.tsv").write_text("a\tqa1\tqa2\nb\tqb\n", encoding="utf-8")
    (tmp_path / "development-1.tsv").write_text("c\tqc\n", encoding="utf-8")
    pairs = list(written_pairs.pairs(Mirrors(tmp_path)))
    assert [(pair.question, pair.passage, pair.negatives) for pair in pairs] == [
        ("qa1", "a", ("b",)),
        ("qa2", "a", ("b",)),
        ("qb", "b", ("a",)),
    ]


def test_every_written_line_is_complete_and_no_question_is_in_both_parts():
    parts: dict[str, set[str]] = {"train": set(), "development": set()}
    for file in written_pairs.FOLDER.glob("*.tsv"):
        for passage, *questions in written_pairs.rows_of(file):
            assert passage.strip()
            assert len(questions) >= 2
            assert all(question.strip() for question in questions)
            parts[file.name.partition("-")[0]].add(passage)
    assert parts["train"]
    assert not parts["train"] & parts["development"]
    assert len(written()["passages"]) == len(parts["development"])
