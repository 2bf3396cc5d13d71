from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import ModelDamaged, ModelError, ModelMissing
from holdfast.models.own_model import OwnModel
from holdfast.models.static import StaticEmbedder
from holdfast.models.token_table import TokenTable, write_token_table

from .own_files import DIMENSIONS, ROWS, VOCABULARY, arrays, write_fields, write_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model") / "own")


@pytest.fixture(scope="module")
def embedder(folder: Path) -> StaticEmbedder:
    return StaticEmbedder(OwnModel(folder))


def test_a_vector_is_the_weighted_mean_of_the_tokens_and_the_bias(folder: Path, embedder: StaticEmbedder) -> None:
    text = "rotate the signing certificate, rotate it"
    ids = OwnModel(folder).wordpiece.ids(text, 100)
    vectors, weights, biases = arrays()
    for use, made in ((0, embedder.embed_query(text)), (1, embedder.embed([text])[0])):
        mean = weights[use][ids] @ vectors[ids] / weights[use][ids].sum() + biases[use]
        assert made == pytest.approx(mean / np.linalg.norm(mean), abs=0.01)


TEXTS = ["", "cat", "the deploy key expires at midnight", "日本語のテキスト 🎉", "half a pair \ud83d", "word " * 300]


def without_numpy(embedder: StaticEmbedder, texts: list[str]) -> list[bytes]:
    """Packs texts as a process without numpy does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(sys.modules, "numpy")
        patch.setattr(embedder, "_packed_tokens", 0)  # After many texts it would import numpy.
        return embedder.pack(texts)


@given(st.lists(st.text() | st.sampled_from(TEXTS), min_size=1, max_size=4))
def test_without_numpy_vectors_are_equal_up_to_rounding(embedder: StaticEmbedder, texts: list[str]) -> None:
    for packed, other in zip(embedder.pack(texts), without_numpy(embedder, texts), strict=True):
        floats = [np.array(struct.unpack(f"<{DIMENSIONS}e", each)) for each in (packed, other)]
        assert np.abs(floats[0] - floats[1]).max() <= 2**-11
        assert np.linalg.norm(floats[0]) == pytest.approx(1, abs=1e-3)


def test_packed_vectors_are_the_rounded_ones(embedder: StaticEmbedder) -> None:
    assert embedder.pack(TEXTS) == [vector.astype("<f2").tobytes() for vector in embedder.embed(TEXTS)]
    assert embedder.pack([]) == []


@pytest.mark.integration
def test_numpy_is_imported_for_many_tokens_only(folder: Path) -> None:
    code = (
        "import sys; from holdfast.models.own_model import OwnModel; from holdfast.models.static import StaticEmbedder;"
        f"e = StaticEmbedder(OwnModel({str(folder)!r})); e.pack(['a', 'b']);"
        "print({'numpy', 'onnxruntime', 'tokenizers', 'pathlib', 'hashlib'} & set(sys.modules));"
        "e.pack(['word ' * 64] * 200); print('numpy' in sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.split() == ["set()", "True"]


def test_text_beyond_the_limit_does_not_count(embedder: StaticEmbedder) -> None:
    full = "cats " * 64
    assert np.array_equal(*embedder.embed([full, full + "dogs " * 100]))


def test_tokens_without_weight_do_not_count(tmp_path: Path) -> None:
    vectors, _, _ = arrays()
    nothing = np.zeros(ROWS, np.float32), np.zeros(DIMENSIONS, np.float32)
    folder = write_model(tmp_path / "m")
    write_token_table(
        folder / "static.bin",
        vectors,
        vocabulary=VOCABULARY,
        weights=(nothing[0], nothing[0]),
        biases=(nothing[1], nothing[1]),
    )
    embedder = StaticEmbedder(OwnModel(folder))
    assert embedder.embed_query("a b").tolist() == [1.0] + [0.0] * (DIMENSIONS - 1)
    assert struct.unpack("<e", without_numpy(embedder, ["a b"])[0][:2]) == (1.0,)


def test_a_table_rounds_to_less_than_a_hundredth(folder: Path) -> None:
    vectors, _, _ = arrays()
    ids = list(range(0, ROWS, 97))
    read = TokenTable(folder / "tokens.bin").vectors(ids)
    assert read.dtype == np.float32
    assert np.abs(read - vectors[ids]).max() < 0.02


def test_weights_below_zero_are_refused(tmp_path: Path) -> None:
    vectors, weights, biases = arrays()
    with pytest.raises(ValueError, match="0 or more"):
        write_token_table(tmp_path / "t", vectors, vocabulary=VOCABULARY, weights=-weights, biases=biases)


def changed(file: Path, place: int) -> None:
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)


HEADER = 40


@pytest.mark.parametrize("place", [0, 17, 21, 25, 30, 34, HEADER, HEADER + 4 * ROWS, -ROWS * DIMENSIONS - 1])
def test_a_changed_byte_before_the_vectors_is_found_at_once(tmp_path: Path, place: int) -> None:
    folder = write_model(tmp_path / "m")
    changed(folder / "static.bin", place)
    with pytest.raises(ModelDamaged, match=r"static\.bin"):
        StaticEmbedder(OwnModel(folder)).pack(["a"])


@pytest.mark.parametrize("with_numpy", [True, False])
def test_a_changed_vector_is_found_when_it_is_used(tmp_path: Path, with_numpy: bool) -> None:
    folder = write_model(tmp_path / "m")
    model = OwnModel(folder)
    [id] = model.wordpiece.ids("zebra", 9)
    changed(folder / "static.bin", -(ROWS - id) * DIMENSIONS)
    embedder = StaticEmbedder(model)
    embed = embedder.embed if with_numpy else lambda texts: without_numpy(embedder, texts)
    embed(["the cat"])
    for _ in range(2):
        with pytest.raises(ModelDamaged, match=r"static\.bin has changed"):
            embed(["a zebra"])


@pytest.mark.parametrize("bytes", [0, 3, 100, 200_000, -1])
def test_a_file_that_is_cut_short_is_not_used(tmp_path: Path, bytes: int) -> None:
    folder = write_model(tmp_path / "m")
    data = (folder / "static.bin").read_bytes()
    (folder / "static.bin").write_bytes(data[:bytes])
    with pytest.raises(ModelDamaged, match=r"static\.bin"):
        StaticEmbedder(OwnModel(folder)).pack(["a"])


@pytest.mark.parametrize("bytes", [0, 200_000, -1])
def test_a_vocabulary_that_is_cut_short_is_not_used(tmp_path: Path, bytes: int) -> None:
    folder = write_model(tmp_path / "m")
    (folder / "vocabulary.txt").write_bytes(VOCABULARY.read_bytes()[:bytes])
    for embed in (lambda e: e.pack(["zyzzyva"]), lambda e: e.embed_query("zyzzyva"), lambda e: e.embed(["zyzzyva"])):
        with pytest.raises(ModelDamaged, match="do not belong together"):
            embed(StaticEmbedder(OwnModel(folder)))


def test_another_vocabulary_is_not_used(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    changed(folder / "vocabulary.txt", 1000)
    with pytest.raises(ModelDamaged, match=r"static\.bin and vocabulary\.txt do not belong together"):
        StaticEmbedder(OwnModel(folder)).pack(["a"])


@pytest.mark.parametrize("file", ["static.bin", "vocabulary.txt", "model.json"])
def test_a_missing_file_is_named(tmp_path: Path, file: str) -> None:
    folder = write_model(tmp_path / "m")
    (folder / file).unlink()
    with pytest.raises(ModelMissing, match=file):
        StaticEmbedder(OwnModel(folder)).pack(["a"])


def test_the_dimensions_of_table_and_card_must_agree(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    write_fields(folder, dimensions=48)
    with pytest.raises(ModelDamaged, match="32 dimensions, not 48"):
        StaticEmbedder(OwnModel(folder)).pack(["a"])


@pytest.mark.parametrize(
    "change",
    [
        {"dimensions": 0},
        {"dimensions": "384"},
        {"name": 3},
        {"files": []},
        {"sizes": {"huge": {}}},
        {"sizes": {"static": {"file": "x"}}},
        {"sizes": {"static": {"file": "x", "max_tokens": 0}}},
        {"sizes": []},
        {"cosines": {"queries": {"static/small": [0.1]}, "passages": {"small/small": [0.1, 0.2]}}},
        {"cosines": {"queries": {"static/small": ["a", "b"]}, "passages": {"small/small": [0.1, 0.2]}}},
        {"cosines": {"queries": {"static/large": [0.1, 0.2]}, "passages": {"small/small": [0.1, 0.2]}}},
        {"cosines": {"queries": {"static/small": [0.1, 0.0]}, "passages": {"small/small": [0.1, 0.2]}}},
        {"cosines": {"queries": {"static/small": [0.1, 0.2]}}},
        {"cosines": 3},
    ],
)
def test_an_invalid_card_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    write_fields(tmp_path, **change)
    with pytest.raises(ModelDamaged, match=r"model\.json"):
        OwnModel(tmp_path)


def test_a_card_is_not_json(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text("[]")
    with pytest.raises(ModelError, match="not a JSON object"):
        OwnModel(tmp_path)
