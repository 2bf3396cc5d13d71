"""The choice of the weights of code, and the functions that their documentation should find."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from bench.recall.functions import score
from bench.recall.pool import Pool, Question, Unit
from bench.recall.vectors import KeptVectors
from training.fit import documented
from training.fit.code_weights import WORDS, best_words, code_figures, of_code
from training.fit.documented import go_functions, typescript_functions
from training.fit.sets import half
from training.fit.stores import FitStore

from holdfast.core.cosine_scale import CosineScale
from holdfast.models.fake import FakeEmbedder

GO = """package sums

// Total adds the prices of a cart. Rounding comes later.
func (c *Cart) Total(round bool) int {
\tif round {
\t\treturn 0
\t}
\treturn c.sum
}

func undocumented() {
}
"""
TYPESCRIPT = """/**
 * Adds the prices of a cart.
 * @param cart what to add
 */
export function total(cart: Cart): number {
  if (!cart) {
    return 0
  }
  return cart.sum
}
"""
PYTHON = '''def total(cart):
    """Add the prices of a cart."""
    prices = [line.price for line in cart.lines]
    return round(sum(prices), 2)
'''


def test_go_functions_are_asked_for_without_their_names() -> None:
    [found] = go_functions(GO)
    assert (found.name, found.summary) == ("Total", "adds the prices of a cart.")
    assert found.code.startswith("func (c *Cart) Total")
    assert found.code.endswith("return c.sum\n}")


def test_typescript_functions_are_asked_for_without_their_parameters() -> None:
    [found] = typescript_functions(TYPESCRIPT)
    assert found.summary == "Adds the prices of a cart."
    assert found.code.startswith("export function total")
    assert found.code.endswith("return cart.sum\n}")


def test_each_repository_is_a_store_without_its_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "work"
    for name in ("shop/cart.py", "tests/helper.py"):
        (work / name).parent.mkdir(parents=True)
        (work / name).write_text(PYTHON, encoding="utf-8")
    git = ("git", "-C", str(work), "-c", "user.name=a", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "one")):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    (tmp_path / "me+shop").mkdir()
    (work / ".git").rename(tmp_path / "me+shop" / "repo")
    listed = [{"name": name, "commit": commit, "language": "python"} for name in ("me/shop", "me/missing")]
    (tmp_path / "list.json").write_text(json.dumps(listed), encoding="utf-8")
    monkeypatch.setattr(documented, "_LIST", tmp_path / "list.json")

    [part] = documented.load(tmp_path).stores

    [unit], [question] = part.units, part.questions
    assert question.text == "Add the prices of a cart."
    assert question.groups == (unit.group,)
    assert "Add the prices" not in unit.text
    assert "sum(prices)" in unit.text


def test_words_count_as_the_other_sets_of_code_want() -> None:
    sets = {"one": [0, 0.9, 0, 0, 0, 0], "two": [0, 0, 0.5, 0.4, 0, 0], "three": [0, 0, 0.2, 0.6, 0, 0]}
    assert best_words(sets) == WORDS[3]
    assert best_words(sets, without="three") == WORDS[1]
    assert of_code(0.2) == {"bm25": 0.2, "share": 0.2}


def test_code_is_measured_with_every_weight_of_words(tmp_path: Path) -> None:
    texts = ("def total(cart): return sum(cart)", "def shut(door): door.close()")
    units = tuple(Unit(f"f{place}", text, f"f{place}") for place, text in enumerate(texts))
    pool = Pool("code", "code", "code", units, (Question("q", "total of a cart", groups=("f0",)),), score)
    store = FitStore(pool, KeptVectors(tmp_path / "vectors.db", FakeEmbedder()), CosineScale(0.0, 0.1))
    assert len(code_figures([store])) == len(WORDS)
    assert code_figures([store])[-1] == 1.0


def test_the_halves_of_a_set_share_no_question() -> None:
    asked = tuple(Question(str(number), f"question {number}") for number in range(40))
    pool = Pool("code", "code", "code", (), asked, score)
    whole = Pool("code", "code", "code", (), asked, score, parts=(pool,))
    chosen, unseen = half(whole), half(whole, "test")
    assert not set(chosen.questions) & set(unseen.questions)
    assert set(chosen.questions) | set(unseen.questions) == set(asked)
    assert chosen.stores[0].questions == chosen.questions
