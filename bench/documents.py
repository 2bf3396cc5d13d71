"""`holdfast bench documents`: indexing speed and search quality for documents."""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from bench import ROOT
from bench.recall import markdown, tables
from bench.recall.pool import Answer, Answers, Found, Pool, Question
from holdfast import Hit, Settings, Workspace
from holdfast import open as open_workspace
from holdfast.bench.measure import Measurement, milliseconds, rate, seconds_of, show_progress
from holdfast.bench.reports import Report, Section

FLOOR = 0.90
PIECE = 800
_MEGABYTES_A_SECOND = 5.0
_NO_OP_MILLISECONDS = 300.0
_FILES, _FILE_BYTES, _SEED = 700, 19_000, 7
_SEPARATORS = ("\n\n", "\n", " ", "")

# Splits a text into chunks, each given by its start and its end (exclusive).
Cut = Callable[[str], Iterator[tuple[int, int]]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", type=Path, help="collection to index, such as python/peps (default: generated)")
    parser.add_argument("--files", type=int, default=_FILES, help="number of files to generate")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the data sets")
    parser.add_argument("--sample", type=int, default=0, help="quick run with this number of questions")
    parser.add_argument("--embedder", default="bundled", help="embedding model; none searches by words only")


def measure(options: argparse.Namespace) -> Report:
    """Measures indexing speed, then recall with different chunkings of the same texts. Notes name missing data."""
    notes: list[str] = []
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        home = Path(folder)
        collection = options.folder or make_up(home / "collection", options.files)
        sections = [speed(collection, home)]
        pool = markdown.load(options.data, options.sample)
        if pool is None:
            notes.append(
                "markdown-qa was not found, so recall was not measured. Use --data to name the folder of the data sets."
            )
        else:
            sections.append(recall(pool, home, options.embedder, FLOOR if not options.sample else None))
    sections += _statements(options.data)
    return Report("documents", _command(options), tuple(sections), (*_NOTES, *notes))


def speed(collection: Path, home: Path) -> Section:
    """Indexes a collection for the first time, again without changes, and again with --rehash."""
    settings = Settings(background=False, embedder="none", identity="folder")
    with open_workspace(str(home / "speed.db"), str(collection), settings=settings) as ws:
        show_progress(f"indexing {collection}")
        cold = ws.index()
        ws.index()  # files that are only seconds old are read a second time
        again = [seconds_of(ws.index) * 1000 / cold.added for _ in range(5)]
        forced = ws.index(rehash=True)
        passages = ws.stats().totals["chunks"]
    rows = (
        rate("first index", cold.bytes, cold.seconds * 1e6, "MB/s", _MEGABYTES_A_SECOND),
        milliseconds("again without changes, per 1,000 files", again, _NO_OP_MILLISECONDS),
        Measurement("again with --rehash", forced.seconds * 1000),
    )
    size = f"{cold.added:,} files, {cold.bytes / 1e6:.1f} MB, {passages:,} passages"
    return Section(f"Indexing {size}, without embeddings", rows)


def recall(pool: Pool, home: Path, embedder: str, floor: float | None) -> Section:
    """Asks the same questions with three chunkings of the same texts, without a limit per document."""
    cuts: Mapping[str, Cut | None] = {
        tables.OURS: None,
        f"fixed {PIECE}": fixed,
        f"recursive {PIECE}": recursive,
    }
    scores = {name: markdown.score(pool, _search(pool, home, cut, embedder)) for name, cut in cuts.items()}
    floors = dict.fromkeys(scores[tables.OURS], floor) if floor is not None else {}
    return tables.side_by_side(f"{pool.title}, by chunking", scores, floors)


def fixed(text: str) -> Iterator[tuple[int, int]]:
    """Splits after a fixed number of characters."""
    return ((start, min(start + PIECE, len(text))) for start in range(0, len(text), PIECE))


def recursive(text: str, start: int = 0, separators: tuple[str, ...] = _SEPARATORS) -> Iterator[tuple[int, int]]:
    """Splits at the first separator, long parts at the next one, and joins neighbours while they fit."""
    first, *rest = separators
    parts = text.split(first) if first else list(text)
    held, at = "", start
    for part in [f"{part}{first}" for part in parts[:-1]] + parts[-1:]:
        if len(held) + len(part) > PIECE and held:
            yield at, at + len(held)
            held, at = "", at + len(held)
        if len(part) > PIECE:
            yield from recursive(part, at, tuple(rest))
            at += len(part)
        else:
            held += part
    if held:
        yield at, at + len(held)


def make_up(folder: Path, files: int) -> Path:
    """Generates decision records that resemble real ones: sections, prose, code, references."""
    chance = random.Random(_SEED)
    words = [_word(chance) for _ in range(20_000)]
    weights = [1 / (rank + 10) for rank in range(len(words))]
    folder.mkdir(parents=True)
    draw = partial(chance.choices, words, weights)
    for number in range(files):
        (folder / f"pep-{number:04}.rst").write_text(_record(number, files, draw, chance), encoding="utf-8")
    return folder


def _search(pool: Pool, home: Path, cut: Cut | None, embedder: str) -> Answers:
    name = cut.__name__ if cut else "ours"
    settings = Settings(background=False, embedder=embedder, identity="folder", per_session=0, per_document=0)
    folder = home / name
    folder.mkdir()
    with open_workspace(str(folder / "holdfast.db"), str(folder), settings=settings) as ws:
        show_progress(f"{name}: filling the store")
        for path, text in pool.documents.items():
            _add(ws, path, text, cut)
        if embedder != "none":
            ws.upkeep()
        show_progress(f"{name}: searching")
        return {question.id: _answer(ws, question, pool.limit) for question in pool.answerable}


def _add(ws: Workspace, path: str, text: str, cut: Cut | None) -> None:
    """Adds a document, or each chunk of another chunking as its own document, named by its start."""
    if cut is None:
        ws.add_document(path, text)
        return
    for start, end in cut(text):
        if text[start:end].strip():
            ws.add_document(f"{path}/{start}", text[start:end], "text")


def _answer(ws: Workspace, question: Question, limit: int) -> Answer:
    answer = ws.recall(question.text, limit, types=("document",), abstain=False, count=False)
    return Answer(tuple(_place(hit) for hit in answer.hits))


def _place(hit: Hit) -> Found:
    assert hit.document is not None
    assert hit.chunk is not None
    path, _, start = hit.document.path.partition("/")
    offset = int(start or 0)
    return Found("", path, offset + hit.chunk.start, offset + hit.chunk.end)


def _statements(data: Path) -> tuple[Section, ...]:
    """Measures how well contradictions between requirements are found."""
    from bench import statements

    return statements.contradictions(data)


def _record(number: int, files: int, draw: Callable[..., list[str]], chance: random.Random) -> str:
    text = f"PEP: {number}\nTitle: {' '.join(draw(k=4)).title()}\nStatus: Final\nType: Standards\n\n"
    while len(text) < _FILE_BYTES:
        title = " ".join(draw(k=3)).title()
        text += f"{title}\n{'=' * len(title)}\n\n"
        for _ in range(chance.randint(1, 4)):
            text += f"{_prose(draw, chance)} See :pep:`{chance.randrange(files)}`.\n\n"
        text += f"For example::\n\n    {'_'.join(draw(k=2))} = {draw(k=1)[0]}({chance.randint(1, 99)})\n\n"
    return text


def _prose(draw: Callable[..., list[str]], chance: random.Random) -> str:
    sentences = (" ".join(draw(k=chance.randint(8, 20))).capitalize() for _ in range(chance.randint(2, 6)))
    return ". ".join(sentences) + "."


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("bcdfglmnprst") + chance.choice("aeiou") for _ in range(chance.randint(1, 4)))


def _command(options: argparse.Namespace) -> str:
    parts = ["holdfast bench documents"]
    parts += ["--folder FOLDER"] * bool(options.folder)
    parts += [f"--sample {options.sample}"] * bool(options.sample)
    parts += [f"--embedder {options.embedder}"] * (options.embedder != "bundled")
    return " ".join(parts)


_NOTES = (
    f"The chunks of the other chunkings have at most {PIECE} characters and are searched in the same way.",
    "Without changes, every file is checked and none is read.",
)
