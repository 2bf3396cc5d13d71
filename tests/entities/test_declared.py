"""Libraries that the project's manifests declare are found in texts; ordinary words of the same name are not."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import holdfast
from holdfast.entities.declared_entities import DeclaredLibraries, find_declared
from holdfast.entities.manifests import declared_libraries, manifests
from holdfast.models.whole_words import whole_words

NAMES = {
    name: name for name in "zod pino got request debug once chalk p-limit rich end-of-stream @tanstack/query".split()
}


def found(text: str) -> list[str]:
    return [mention.text for mention in find_declared(text, NAMES, whole_words)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("we validate with pino and zod", ["pino", "zod"]),
        ("Pino is our logger.", ["pino"]),
        ("limit calls with p-limit, cache them with @tanstack/query", ["p-limit", "@tanstack/query"]),
        ("we use got for HTTP calls", ["got"]),
        ("Use debug for logging.", ["debug"]),
        ("The tests are slow. Use got for requests.", ["got"]),
        ("On utilise chalk pour les couleurs", ["chalk"]),
        ("the request library is deprecated", ["request"]),
        ("bump got to 12.0", ["got"]),
        ("npm install once", ["once"]),
        ("it needs once@1.4 and got v12", ["once", "got"]),
    ],
)
def test_declared_libraries_are_found(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "I got it to work",
        "debug the request once",
        "chalk marks on the board",
        "set the `debug` flag of the `request` object",
        "wait for the end-of-stream marker",
        "see src/zod/index.ts and lib.pino",
        "import once the package is built",
        "the rich get richer",
        "that package once worked",
    ],
)
def test_words_and_paths_are_no_libraries(text: str) -> None:
    assert found(text) == []


def test_every_kind_of_manifest_is_read(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text(json.dumps({"dependencies": {"zod": "1"}, "devDependencies": {"pino": 1}}))
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["httpx[http2]>=1"]\n[project.optional-dependencies]\na = ["anyio ; x"]\n'
        '[dependency-groups]\ndev = ["ruff", {include-group = "a"}]\n'
        '[tool.poetry.dependencies]\npython = "3"\nflit = "*"\n'
    )
    (tmp_path / "requirements-dev.txt").write_text("# no\n-r other.txt\nnumpy==1\n")
    (tmp_path / "Cargo.toml").write_text("[workspace.dependencies]\nserde = '1'\n[dev-dependencies]\nrstest = '1'\n")
    (tmp_path / "go.mod").write_text(
        "module x\nrequire github.com/a/viper v1.2.0\nrequire (\n\tgithub.com/b/chi/v5 v5.0.0\n"
        "\tgopkg.in/yaml.v3 v3.0.1 // indirect\n)\n"
    )
    below = tmp_path / "packages" / "hull"
    below.mkdir(parents=True)
    (below / "package.json").write_text('{"dependencies": {"execa": "1"}}')
    (tmp_path / "node_modules" / "left").mkdir(parents=True)
    (tmp_path / "node_modules" / "left" / "package.json").write_text('{"dependencies": {"left-pad": "1"}}')
    names = declared_libraries(manifests(str(tmp_path)))
    assert names == set("zod pino httpx anyio ruff flit numpy serde rstest viper chi execa".split())


@pytest.mark.parametrize("text", ["", "{", "[" * 50_000, "[1]", '{"dependencies": [1]}', "= = =", "\0"])
def test_a_damaged_manifest_declares_nothing(tmp_path: Path, text: str) -> None:
    for name in ("package.json", "pyproject.toml", "Cargo.toml", "go.mod"):
        (tmp_path / name).write_text(text)
    assert declared_libraries(manifests(str(tmp_path))) == frozenset()


KEY = ".".join("a" * 2_000)


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * 100_000) + " = 1",
        ".".join(['"\u2028"'] * 40_000) + " = 1",
        "\n".join(f"[{KEY}.k{n}]" for n in range(70)),
        f"[{KEY}]\n" + "\n".join(f"k{n} = 1" for n in range(30_000)),
    ],
)
def test_long_keys_do_not_keep_the_reader_busy(tmp_path: Path, text: str) -> None:
    (tmp_path / "Cargo.toml").write_text(f"{text}\n[dependencies]\nserde = '1'\n", encoding="utf-8")
    started = time.process_time()
    assert declared_libraries(manifests(str(tmp_path))) == frozenset()
    assert time.process_time() - started < 2


def test_a_changed_manifest_is_read_again(tmp_path: Path) -> None:
    libraries = DeclaredLibraries(str(tmp_path), whole_words)
    assert libraries.find("we use pino") == []
    (tmp_path / "package.json").write_text('{"dependencies": {"pino": "1"}}')
    assert [mention.text for mention in libraries.find("we use pino")] == ["pino"]


@pytest.mark.parametrize("text", ["a-" * 20_000, "got " * 10_000, "@" * 20_000, "use " * 10_000, "a.b/" * 9_000])
def test_any_text_takes_linear_time(text: str) -> None:
    started = time.process_time()
    list(find_declared(text, NAMES, whole_words))
    assert time.process_time() - started < 2


def test_a_memory_is_linked_to_a_declared_library(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"valibot": "1", "once": "1"}}')
    with holdfast.open(db=":memory:", project=str(tmp_path), embedder="none") as ws:
        ws.remember("We validate forms with valibot, once per field.")
        entity = ws.entity("valibot").entity
        assert (entity.type, entity.label, entity.mentions) == ("project", "library", 1)
        with pytest.raises(holdfast.NotFound):
            ws.entity("once")
