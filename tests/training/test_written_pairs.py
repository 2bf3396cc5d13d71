"""Pairs that were written, and pairs across languages."""

import random

import pytest
from training.evaluation_sets import written, written_worlds
from training.sources import Mirrors
from training.translated_pairs import _section_pairs, entries

from training import worlds, written_pairs

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
WORLD = """
W	A sailing club	en
M1	The dinghies are stored in the red shed.
M2	Ida: Paint the dinghies in March.
M3	Ida: Did you?
M4	Olaf painted the hull on Sunday.
M5	Fees are due in May.
Q	Where do the dinghies stay in winter?	M1
Q	Has the hull been painted?	M3,M4
Q	How long is the largest dinghy?	-
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
    for file in (*written_pairs.FOLDER.glob("train-*.tsv"), *written_pairs.FOLDER.glob("development-*.tsv")):
        for passage, *questions in written_pairs.rows_of(file):
            assert passage.strip()
            assert len(questions) >= 2
            assert all(question.strip() for question in questions)
            parts[file.name.partition("-")[0]].add(passage)
    assert parts["train"]
    assert not parts["train"] & parts["development"]
    assert len(written()["passages"]) == len(parts["development"])


def test_questions_of_a_world_have_its_nearest_other_passages_as_negatives(tmp_path, monkeypatch):
    monkeypatch.setattr(written_pairs, "FOLDER", tmp_path)
    (tmp_path / "worlds").mkdir()
    for name in ("a-01", "a-09"):
        (tmp_path / "worlds" / f"{name}.tsv").write_text(WORLD, encoding="utf-8")
    pairs = list(written_pairs.pairs(Mirrors(tmp_path)))
    assert {(pair.source, pair.kind, pair.part) for pair in pairs} == {("worlds", "world: a-01", "train")}
    asked = [(pair.question[:5], pair.passage.rpartition(" ")[2], pair.negatives) for pair in pairs]
    red, march, you, sunday, may = worlds.read_world(tmp_path / "worlds" / "a-01.tsv").passages.values()
    assert asked == [
        ("Where", "shed.", (march, you, sunday, may)),
        ("Has t", "you?", (march, red, may)),
        ("Has t", "Sunday.", (march, red, may)),
    ]


def test_a_world_has_six_negatives_at_most(tmp_path):
    lines = ["W\tmany\ten", *(f"M{n}\tpassage number {n}" for n in range(1, 12)), "Q\twhich number is it\tM3"]
    (tmp_path / "a-01.tsv").write_text("\n".join(lines), encoding="utf-8")
    (pair,) = written_pairs.world_pairs(worlds.read_world(tmp_path / "a-01.tsv"))
    assert len(set(pair.negatives)) == 6
    assert pair.passage not in pair.negatives


def test_worlds_set_aside_are_evaluation_pools(tmp_path, monkeypatch):
    for name in ("a-01", "a-09"):
        (tmp_path / f"{name}.tsv").write_text(WORLD, encoding="utf-8")
    all_worlds = list(worlds.worlds(tmp_path))
    monkeypatch.setattr(worlds, "worlds", lambda: iter(all_worlds))
    (pool,) = written_worlds()
    assert (pool["set"], pool["part"], pool["first"], len(pool["passages"])) == ("worlds", "development", 1, 5)
    assert pool["questions"] == [
        ["Where do the dinghies stay in winter?", [0]],
        ["Has the hull been painted?", [2, 3]],
    ]


@pytest.mark.parametrize("line", ["M2\ttwo\tfields", "Q\tno answers named", "Q\twhat is it\tM7"])
def test_a_wrong_line_of_a_world_is_an_error(tmp_path, line):
    (tmp_path / "a-01.tsv").write_text(f"W\tone\ten\nM1\tpassage\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"a-01\.tsv"):
        worlds.read_world(tmp_path / "a-01.tsv")


def test_every_world_is_complete_and_no_passage_is_in_both_parts():
    parts: dict[bool, set[str]] = {False: set(), True: set()}
    for world in worlds.worlds():
        assert world.language, world.name
        assert all(world.passages.values()), world.name
        assert all(question for question, _ in world.questions), world.name
        assert any(names for _, names in world.questions), world.name
        parts[worlds.development(world)] |= set(world.passages.values())
    assert not parts[False] & parts[True]
