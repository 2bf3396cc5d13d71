from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.core.errors import InvalidInput, InvalidSettings, ModelMissing
from holdfast.core.settings import Settings
from holdfast.core.vector_size import VectorSize
from holdfast.models import own_model
from holdfast.models.choice import GIGABYTE, bundled_embedder, choose_embedder, choose_reranker
from holdfast.models.free_memory import free_memory

from . import foreign_files
from .foreign_files import write_foreign
from .own_files import ID, write_model
from .servers import Answer, ModelServer

BUNDLED_ID = bundled_embedder().id
QWEN = ("qwen3-embedding:8b", "qwen3-embedding:4b", "qwen3-embedding:0.6b", "llama3:8b")


def chosen(folder: Path, free: int = 64 * GIGABYTE, **settings: object) -> str | None:
    embedder = choose_embedder(Settings(**settings), folder, free=lambda: free)  # type: ignore[arg-type]  # by name
    return embedder.id if embedder else None


def test_nothing_set_means_bundled(tmp_path: Path) -> None:
    assert chosen(tmp_path) == BUNDLED_ID


def test_a_key_alone_changes_nothing(tmp_path: Path) -> None:
    keyed = chosen(tmp_path, embed_key="sk-1", llm_key="sk-2", embed_url="https://api.example/v1", embed_model="m")
    assert keyed == BUNDLED_ID


@pytest.mark.parametrize(
    ("embedder", "id"), [("bundled", BUNDLED_ID), ("small", BUNDLED_ID), ("fake", "fake@1:256"), ("none", None)]
)
def test_a_named_embedder_is_chosen(tmp_path: Path, embedder: str, id: str | None) -> None:
    assert chosen(tmp_path, embedder=embedder) == id


@pytest.mark.parametrize(
    ("embedder", "size"),
    [
        ("auto", VectorSize.SMALL),
        ("bundled", VectorSize.SMALL),
        ("static", VectorSize.STATIC),
        ("small", VectorSize.SMALL),
        ("base", VectorSize.BASE),
    ],
)
def test_our_model_is_chosen_in_each_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedder: str, size: VectorSize
) -> None:
    monkeypatch.setattr(own_model, "OWN", str(write_model(tmp_path / "own")))
    chosen = choose_embedder(Settings(embedder=embedder), tmp_path)
    assert chosen is not None
    assert (chosen.id, chosen.size) == (ID, size)


def test_a_missing_model_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_model, "OWN", str(tmp_path))
    with pytest.raises(ModelMissing, match=r"has no model\.json"):
        chosen(tmp_path, embedder="auto")


def test_a_pulled_model_is_chosen_by_name(tmp_path: Path) -> None:
    write_foreign(tmp_path / "owner--model")
    assert chosen(tmp_path, embedder="owner/model") == foreign_files.ID


def test_a_model_folder_is_chosen_by_its_path(tmp_path: Path) -> None:
    assert chosen(tmp_path, embedder=str(write_foreign(tmp_path / "m"))) == foreign_files.ID


def test_a_model_that_was_not_pulled_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="holdfast models pull owner/model"):
        chosen(tmp_path, embedder="owner/model")


@pytest.mark.parametrize("name", ["./model", "../model", "model", "owner/../model", "a--b/c", "~/model"])
def test_a_name_that_could_lead_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        chosen(tmp_path, embedder=name)


@pytest.mark.parametrize(
    ("free", "installed", "model"),
    [
        (64, QWEN, "http:qwen3-embedding:8b@localhost:1024"),
        (16, QWEN, "http:qwen3-embedding:4b@localhost:1024"),
        (4, QWEN, "http:qwen3-embedding:0.6b@localhost:1024"),
        (64, QWEN[2:], "http:qwen3-embedding:0.6b@localhost:1024"),
        (64, ("qwen3-embedding:latest",), "http:qwen3-embedding:latest@localhost:1024"),
        (16, QWEN[:1], BUNDLED_ID),
        (64, QWEN[3:], BUNDLED_ID),
    ],
)
def test_auto_takes_the_best_ollama_model_that_fits(
    tmp_path: Path, free: int, installed: tuple[str, ...], model: str
) -> None:
    with ModelServer(ollama=installed) as server:
        assert chosen(tmp_path, free * GIGABYTE, allow_ollama=True, ollama_url=server.url) == model


def test_auto_does_not_ask_ollama_unless_allowed(tmp_path: Path) -> None:
    with ModelServer(ollama=QWEN) as server:
        assert chosen(tmp_path, ollama_url=server.url) == BUNDLED_ID
    assert server.requests == []


def test_auto_does_not_ask_another_machine(tmp_path: Path) -> None:
    with ModelServer(ollama=QWEN) as server:
        # This address reaches the server too, but it does not show that the server is on this machine.
        elsewhere = server.url.replace("127.0.0.1", "0.0.0.0")
        assert chosen(tmp_path, allow_ollama=True, ollama_url=elsewhere) == BUNDLED_ID
    assert server.requests == []


@pytest.mark.parametrize("answer", [Answer(hang=True), Answer(500), Answer(body=[]), Answer(body={"models": [1]})])
def test_auto_does_not_wait_for_a_sick_ollama(tmp_path: Path, answer: Answer) -> None:
    with ModelServer() as server:
        server.script = [answer]
        assert chosen(tmp_path, allow_ollama=True, ollama_url=server.url) == BUNDLED_ID


@pytest.mark.parametrize("answer", [Answer(500, {}), Answer(body=b"no json"), Answer(hang=True)])
def test_auto_keeps_the_vectors_of_an_ollama_that_does_not_answer(tmp_path: Path, answer: Answer) -> None:
    def chosen_for(*known: str) -> str:
        settings = Settings(allow_ollama=True, ollama_url=server.url)
        embedder = choose_embedder(settings, tmp_path, known=lambda: known)
        assert embedder is not None
        return embedder.id

    with ModelServer(ollama=QWEN) as server:
        stored = "http:qwen3-embedding:4b@localhost:1024"
        server.script = [answer] * 3
        assert chosen_for(stored) == stored
        assert chosen_for("fake@1:256", stored) == chosen_for() == BUNDLED_ID
        # It answers again, and chooses what fits best.
        assert chosen_for(stored).startswith("http:qwen3-embedding:")


def test_an_endpoint_has_the_dimensions_of_its_stored_vectors(tmp_path: Path) -> None:
    settings = Settings(embedder="http", embed_url="https://api.example/v1", embed_model="m")
    known = ("http:m@other.example:8", "http:m@api.example:64", "http:m@api.example:32", "http:m2@api.example:16")
    embedder = choose_embedder(settings, tmp_path, known=lambda: known)
    assert embedder is not None
    assert (embedder.id, embedder.dimensions) == ("http:m@api.example:64", 64)


def test_ollama_by_name_embeds_with_the_prefix_of_its_family(tmp_path: Path) -> None:
    with ModelServer() as server:
        settings = Settings(embedder="ollama:nomic-embed-text", ollama_url=server.url)
        embedder = choose_embedder(settings, tmp_path)
        assert embedder is not None
        embedder.embed_query("x")
        embedder.embed(["y"])
        assert embedder.id == "http:nomic-embed-text@localhost:64"
    assert [request.body["input"] for request in server.requests] == [["search_query: x"], ["search_document: y"]]


def test_http_must_be_named_in_full(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings, match="embed_url"):
        chosen(tmp_path, embedder="http")


def test_http_asks_for_the_dimensions_set(tmp_path: Path) -> None:
    url = "https://api.example/v1"
    asked = chosen(tmp_path, embedder="http", embed_url=url, embed_model="small", embed_dimensions=1024)
    assert asked == "http:small@api.example:1024"


def test_a_reranker_only_where_an_address_or_a_model_is_set() -> None:
    assert choose_reranker(Settings(rerank_key="k")) is None
    with ModelServer() as server:
        reranker = choose_reranker(Settings(rerank_url=server.url + "/rerank", rerank_model="r"))
        assert reranker is not None
        assert (reranker.id, reranker.rerank("a", ["a"])) == ("http:r@localhost", (1.0,))


def test_free_memory_is_some() -> None:
    assert free_memory() > 0
    assert free_memory("darwin") > 0
