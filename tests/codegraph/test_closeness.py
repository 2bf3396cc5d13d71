"""The code graph in searches: memories about code near the code that a query names, and the explanation of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.interfaces.cli.formatting import hits as shown


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[holdfast.Workspace]:
    root = tmp_path / "project"
    (root / "shop").mkdir(parents=True)
    (root / "shop/money.py").write_text("def round_half_up(amount):\n    return amount\n")
    (root / "shop/cart.py").write_text(
        "from shop.money import round_half_up\n\n\ndef total(cart):\n    return round_half_up(cart)\n"
    )
    (root / "shop/lamp.py").write_text("def light(): ...\n")
    opened = holdfast.open(
        db=str(tmp_path / "m.db"), project=str(root), embedder="none", background=False, identity="folder"
    )
    yield opened
    opened.close()


def test_a_memory_about_code_that_is_called_is_found_by_its_caller(ws: holdfast.Workspace) -> None:
    ws.remember("Swiss francs end in five cents.", type="gotcha", files=["shop/money.py"])
    ws.remember("Lamps are switched off at night.", type="gotcha", files=["shop/lamp.py"])
    asked = "what is important before I change `total`?"
    assert [hit.text for hit in ws.recall(asked, types=["gotcha"]).hits] == []
    ws.index(docs=False)
    answer = ws.recall(asked, types=["gotcha"])
    assert [(hit.text, dict(hit.why.paths)) for hit in answer.hits] == [
        ("Swiss francs end in five cents.", {"graph": 1})
    ]
    assert "graph" in shown(answer, explain=True)


def test_a_symbol_names_its_file(ws: holdfast.Workspace) -> None:
    ws.index(docs=False)
    closeness = ws.container.closeness
    assert closeness.files_named(ws.project, "why is round_half_up() slow?") == ("shop/money.py",)
    assert closeness.files_named(ws.project, "see cart.py") == ("shop/cart.py",)
    assert closeness.files_named(ws.project, "total eclipse") == ()
    assert closeness.files_near(ws.project, ["shop/money.py"]) == {"shop/cart.py": 1.0}


def test_without_an_index_nothing_is_near(ws: holdfast.Workspace) -> None:
    steps = {step.step for step in ws.recall("shop/cart.py").trace.steps}
    assert not {"graph", "neighbours"} & steps
