"""A small model in the layout of other people's models: an ONNX graph that looks up token ids, and `tokenizer.json`.

The graph `data/foreign.onnx` adds vectors of tokens, positions and segments, and mixes each state with the mean of all.
Its numbers are random.
"""

from __future__ import annotations

import string
from functools import cache
from pathlib import Path

from holdfast.models.card import ModelCard, write_card
from holdfast.models.model_files import sha256

DATA = Path(__file__).parent / "data"
DIMENSIONS, MAX_TOKENS, ROWS = 32, 64, 256
NAME = "tiny"
REVISION = "f0" * 20
ID = f"{NAME}@{REVISION[:12]}:{DIMENSIONS}"
QUERY_PREFIX = "ask: "
GRAPH = (DATA / "foreign.onnx").read_bytes()
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_WORDS = "the deploy key expire at midnight when does lunch is noon test use a real database ask doc some text".split()


def write_foreign(folder: Path, graph: bytes = GRAPH) -> Path:
    """Writes a folder with a card."""
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(graph)
    (folder / "tokenizer.json").write_bytes(tokenizer())
    files = {name: sha256(folder / name) for name in ("model.onnx", "tokenizer.json")}
    card = ModelCard(
        NAME, REVISION, DIMENSIONS, MAX_TOKENS, "cls", "model.onnx", query_prefix=QUERY_PREFIX, files=files
    )
    write_card(folder, card)
    return folder


@cache
def tokenizer() -> bytes:
    """Returns a `tokenizer.json` with letters and a few words."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    letters = string.ascii_lowercase + string.digits
    tokens = [*_SPECIAL, *string.punctuation, *letters, *(f"##{letter}" for letter in letters), *_WORDS]
    vocabulary = {token: id for id, token in enumerate(dict.fromkeys(tokens))}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return made.to_str().encode()
