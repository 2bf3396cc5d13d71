"""The stages of training, on a few texts and on the CPU. They need PyTorch, which is installed only for training."""

from __future__ import annotations

import json
import lzma
from copy import deepcopy
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed; it is needed only to train the model")

from training.contrast import ContrastSettings, PairData, _batches, _contrast, fine_tune, mine  # noqa: E402
from training.distil import DistilSettings, StaticSettings, distil, distil_static  # noqa: E402
from training.encoder import CLS, SEP, WIDTH, Static, Transformer, round_matrix  # noqa: E402
from training.evaluate import Encoder, EvaluationPool, recalls  # noqa: E402
from training.optimizer import RoundedAdam  # noqa: E402
from training.texts_on_device import Packed, encoded  # noqa: E402

TEXTS = [[CLS, 2000 + row, 2100 + row, SEP] for row in range(12)] + [[CLS, 2000 + row, SEP] for row in range(12)]


@pytest.fixture(scope="module")
def model() -> Transformer:
    torch.manual_seed(1)
    made: Transformer = Transformer(2).eval()
    return made


def test_training_leaves_weights_that_rounding_does_not_change(model: Transformer) -> None:
    student = model.student(1)
    before = student.layers[0].up.weight.detach().clone()
    optimizer = RoundedAdam(student, "cpu", average=0.5)
    for _ in range(3):
        optimizer.step((1 - student(torch.tensor(TEXTS[:4]))[:, 0]).sum(), rate=1e-3)
    optimizer.finish()
    after = student.layers[0].up.weight
    assert not torch.allclose(after, before, atol=1e-4)
    assert torch.allclose(round_matrix(after), after, atol=1e-7)


def test_steps_smaller_than_rounding_add_up() -> None:
    """Single steps of fine-tuning are far below the rounding step; together they must not be lost."""
    torch.manual_seed(2)
    model = Transformer(1)
    with torch.no_grad():
        model.layers[0].up.weight.copy_(round_matrix(model.layers[0].up.weight))
    start = model.layers[0].up.weight.detach().clone()
    optimizer = RoundedAdam(model, "cpu")
    moved = []
    for _ in range(40):
        optimizer.step((1 - model(torch.tensor(TEXTS[:4]))[:, 0]).sum(), rate=3e-5)
        moved.append(float((model.layers[0].up.weight.detach() - start).abs().max()))
    assert moved[-1] > moved[0]
    assert moved[-1] > 1e-3


def test_padding_does_not_change_a_vector(model: Transformer) -> None:
    both = encoded(model, Packed(TEXTS, "cpu"), "cpu")
    alone = encoded(model, Packed(TEXTS[:1], "cpu"), "cpu")
    assert torch.allclose(both[:1], alone, atol=1e-5)


def test_a_student_starts_from_layers_of_its_teacher(model: Transformer) -> None:
    student = model.student(1)
    assert torch.equal(student.layers[0].up.weight, model.layers[0].up.weight)
    assert torch.equal(student.tokens.weight, model.tokens.weight)


def test_distillation_brings_vectors_nearer(model: Transformer) -> None:
    texts = Packed(TEXTS, "cpu")
    targets = encoded(model, texts, "cpu")
    student = model.student(1)
    before = (encoded(student, texts, "cpu") * targets).sum(-1).mean()
    distil(student, texts, targets, DistilSettings(steps=12, tokens=48, rate=1e-3, warmup=1), "cpu")
    assert (encoded(student, texts, "cpu") * targets).sum(-1).mean() > before
    static = Static(torch.randn(30_522, WIDTH) * 0.1)
    passages = Packed(TEXTS[:12], "cpu")
    before = (encoded(static.passage, passages, "cpu") * targets[:12]).sum(-1).mean()
    distil_static(static, texts, targets, 12, 1, StaticSettings(rounds=4, tokens=48, rate=0.05), "cpu")
    assert (encoded(static.passage, passages, "cpu") * targets[:12]).sum(-1).mean() > before


def pairs() -> PairData:
    questions, passages = Packed(TEXTS[12:], "cpu"), Packed(TEXTS[:12], "cpu")
    kinds = ["asked", "heading", "docstring"]
    sources = [f"set/{kinds[row % 3]}" for row in range(12)]
    return PairData(sources, questions, passages, list(range(12)), [[(row + 3) % 12] for row in range(12)])


def test_fine_tuning_ranks_the_right_passage_first(model: Transformer) -> None:
    texts = Packed(TEXTS, "cpu")
    kept = (texts, encoded(model, texts, "cpu"))
    tuned = fine_tune(deepcopy(model), pairs(), ContrastSettings(steps=30, batch=4, rate=5e-4, keep=0.1), kept, "cpu")
    questions, passages = pairs().questions, pairs().passages
    scores = encoded(tuned, questions, "cpu") @ encoded(tuned, passages, "cpu").T
    assert (scores.argmax(1) == torch.arange(12)).float().mean() > 0.8
    mined = mine(tuned, pairs(), "cpu", each=2, below=2.0)
    assert all(row not in negatives[:2] for row, negatives in enumerate(mined))


def test_a_batch_holds_whole_worlds_and_their_share_is_a_setting() -> None:
    sources = ["set/asked"] * 4 + ["worlds/world"] * 8
    made = replace(pairs(), sources=sources, worlds={row: f"world: {row % 4}" for row in range(4, 12)})
    batches = list(islice(_batches(made, ContrastSettings(steps=1, batch=2, worlds=0.5)), 200))
    of_worlds = [batch for batch in batches if min(batch) >= 4]
    assert 60 < len(of_worlds) < 140
    assert all(first % 4 == second % 4 for first, second in of_worlds)
    assert all(max(batch) < 4 for batch in batches if batch not in of_worlds)


def test_another_answer_to_the_same_question_is_not_wrong(model: Transformer) -> None:
    settings = ContrastSettings(steps=1, negatives=0)
    known = replace(pairs(), other_answers={0: {1}, 1: {0}})
    assert _contrast(model, known, [0, 1], settings).item() == pytest.approx(0, abs=1e-6)
    assert _contrast(model, pairs(), [0, 1], settings).item() > 0.01


class Words:
    """Gives each text one token."""

    def passages(self, texts: list[str]) -> list[list[int]]:
        return [[CLS, 2000 + len(text), SEP] for text in texts]

    queries = passages


def test_pairs_of_a_world_know_their_world_and_the_other_answers() -> None:
    rows = [
        {"source": source, "kind": kind, "question": question, "passage": passage, "negatives": ["c"]}
        for source, kind, question, passage in [
            ("worlds", "world: a-01", "who?", "a"),
            ("worlds", "world: a-01", "who?", "b"),
            ("set", "rule: who", "who?", "c"),
        ]
    ]
    made = PairData.of(rows, Words(), "cpu")  # type: ignore[arg-type]
    assert made.sources == ["worlds/world", "worlds/world", "set/rule"]
    assert made.worlds == {0: "world: a-01", 1: "world: a-01"}
    assert made.other_answers == {0: {1}, 1: {0}}


def test_recall_is_measured_for_every_pair_of_sizes(model: Transformer) -> None:
    questions, passages = pairs().questions, pairs().passages
    pools = [EvaluationPool(name, "test", passages, questions, questions, [[n] for n in range(12)]) for name in "ab"]
    figures = recalls(pools, {"one": Encoder(model, model), "two": Encoder(model, model)}, "cpu")
    assert set(figures) == {"one/one", "one/two", "two/one", "two/two"}
    assert 0 <= figures["one/one"]["a"] <= 1
    assert len(figures["one/one"]["unrelated"]) == 2


def test_equal_parts_give_an_equal_manifest(tmp_path: Path) -> None:
    from training.assemble import PAIR_FILES, TEXT_FILES, assemble

    def write(name: str, rows: list[Any]) -> None:
        with lzma.open(tmp_path / f"{name}.jsonl.xz", "wt") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)

    for name in PAIR_FILES:
        pair = {"source": "a/b", "kind": name, "question": f"{name}?", "passage": "p", "negatives": []}
        write(name, [{**pair, "part": part} for part in ("train", "test")])
    for name in TEXT_FILES:
        write(name, [["p", f"{name} {n}"] for n in range(20)])
    first, second = (assemble(tmp_path, tmp_path / name, 0.5) for name in ("one", "two"))
    assert first == second
    assert first["files"]["pairs.jsonl.xz"]["rows"] == len(PAIR_FILES)
    assert 0 < first["files"]["texts.jsonl.xz"]["rows"] < 40
