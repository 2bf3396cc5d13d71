"""A model that is down, slow or wrong costs its own contribution only, and every answer says what is missing."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.admission import Outcome
from holdfast.core.reason import Reason
from holdfast.interfaces.cli.main import run
from holdfast.models import circuit_breaker, guarded
from holdfast.recall.recall_reasons import RecallCode
from holdfast.upkeep.upkeep_reasons import UpkeepCode
from holdfast.workspace import Workspace
from tests.models.foreign_files import write_foreign
from tests.models.servers import Answer, ModelServer, Request

pytestmark = pytest.mark.integration

ROW = {"index": 0, "embedding": [1.0] * 64}
FAULTS = {
    "hangs": Answer(hang=True),
    "never ends": Answer(body=[1], drip=True),
    "500": Answer(500, {"error": {"message": "overloaded"}}),
    "401": Answer(401, {"error": {"message": "no"}}),
    "429": Answer(429, {}, {"retry-after": "3600"}),
    "400": Answer(400, {"error": {"message": "no such model"}}),
    "not JSON": Answer(body=b"<html>proxy error</html>"),
    "nested": Answer(body=b"[" * 200_000),
    "empty": Answer(body=b""),
    "truncated": Answer(body={"data": [ROW]}, cut=30),
    "no embeddings": Answer(body={"data": []}),
    "dimensions": Answer(body={"data": [{"index": 0, "embedding": [1.0] * 3}]}),
    "NaN": Answer(body={"data": [{"index": 0, "embedding": [float("nan")] * 64}]}),
    "large number": Answer(body={"data": [{"index": 0, "embedding": [10**400] * 64}]}),
    "zeros": Answer(body={"data": [{"index": 0, "embedding": [0.0] * 64}]}),
}


class Endpoint(ModelServer):
    """A model server that can be broken: then it answers every request with the same fault."""

    fault: Answer | None = None

    def route(self, request: Request) -> Answer:
        return self.fault or super().route(request)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as running:
        yield running


class Opened:
    """Opens the same store several times, each time as a new process would."""

    def __init__(self, tmp_path: Path, project: Path, **settings: Any) -> None:
        self.db, self.project = str(tmp_path / "m.db"), str(project)
        self.settings = {"http_timeout": 0.3, "http_retries": 0, "search_timeout": 0.3, **settings}

    def __call__(self, **more: Any) -> Workspace:
        return holdfast.open(db=self.db, project=self.project, **{**self.settings, **more})


@pytest.fixture
def opened(tmp_path: Path, project: Path, endpoint: Endpoint) -> Opened:
    return Opened(tmp_path, project, embedder="http", embed_url=f"{endpoint.url}/v1", embed_model="m")


def use_everything(ws: Workspace) -> holdfast.Recall:
    """Uses every command that may need the embedder; returns the answer of a search."""
    assert ws.remember("The kettle whistles at five").outcome is Outcome.STORED
    assert ws.remember("The attic floor creaks").outcome is Outcome.STORED
    ws.session("s").say("user", "My sister Clara moved to Lisbon in May.")
    ws.add_document("docs/tea.md", "# Tea\n\nThe teapot is blue.\n")
    answer = ws.recall("kettle whistles")
    assert [hit.text for hit in answer.hits] == ["The kettle whistles at five"]
    assert [hit.text for hit in ws.search_documents("blue teapot").hits] == ["# Tea\n\nThe teapot is blue."]
    pack = ws.context("when does the kettle whistle?")
    assert "The kettle whistles at five" in pack.text
    assert pack.warnings == ws.recall("when does the kettle whistle?").warnings
    assert ws.stats().waiting
    assert [finding.check for finding in ws.doctor().findings if finding.level != "good"] == ["model"]
    ws.gc()
    ws.consolidate()
    return answer


@pytest.mark.parametrize("fault", FAULTS)
def test_everything_works_while_an_endpoint_never_worked(opened: Opened, endpoint: Endpoint, fault: str) -> None:
    endpoint.fault = FAULTS[fault]
    with opened() as ws:
        answer = use_everything(ws)
        [warning] = answer.warnings
        assert warning == Reason.of(RecallCode.NOTHING_EMBEDDED, model="http:m@localhost")
        assert endpoint.requests == endpoint.requests[:1]  # `doctor` alone
        done = ws.upkeep("embed")["embed"]
        assert (done["embedded"], done["failed"].code) == (0, UpkeepCode.MODEL_FAILED)
        [warning] = ws.recall("kettle whistles").warnings
        assert warning.code is RecallCode.NOTHING_EMBEDDED_YET
        assert warning.values["error"] == done["failed"].values["error"]
        assert ws.stats().problem == done["failed"]


@pytest.mark.parametrize("fault", [*FAULTS, "refuses connections"])
def test_everything_works_while_an_endpoint_that_worked_fails(opened: Opened, endpoint: Endpoint, fault: str) -> None:
    with opened() as ws:
        ws.remember("The garden gate is green")
        assert ws.upkeep("embed")["embed"]["embedded"] == 1
        assert ws.recall("which colour has the gate?").warnings == ()
    broken = {} if fault in FAULTS else {"embed_url": "http://127.0.0.1:1/v1"}
    endpoint.fault = FAULTS.get(fault)
    with opened(**broken) as ws:
        answer = use_everything(ws)
        [warning] = answer.warnings
        assert warning.code is RecallCode.MODEL_FAILED
        assert warning.values["error"].startswith("The model endpoint")
        assert ws.upkeep("embed")["embed"]["failed"].code is UpkeepCode.MODEL_FAILED
    endpoint.fault = None
    with opened() as ws:
        assert ws.upkeep("embed")["embed"]["embedded"] == 5
        assert (ws.stats().problem, ws.stats().waiting) == (None, 0)
        assert ws.recall("kettle whistles").warnings == ()
        assert ws.doctor().sound


@pytest.mark.parametrize("fault", ["hangs", "never ends"])
def test_a_search_waits_a_short_time_and_only_once(opened: Opened, endpoint: Endpoint, fault: str) -> None:
    with opened() as ws:
        ws.remember("The garden gate is green")
        ws.upkeep("embed")
    endpoint.fault = FAULTS[fault]
    endpoint.requests.clear()
    with opened(http_timeout=30, http_retries=2, search_timeout=0.5) as ws:
        started = time.monotonic()
        for query in ("gate", "green gate", "the garden", "last May in the garden"):
            assert ws.recall(query).warnings
        assert time.monotonic() - started < 5  # far less than one http_timeout, on a slow machine too
    assert len(endpoint.requests) == 1


def test_an_endpoint_is_called_again_after_the_pause(
    opened: Opened, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [0.0]
    monkeypatch.setattr(guarded, "CircuitBreaker", lambda: circuit_breaker.CircuitBreaker(clock=lambda: seconds[0]))
    with opened() as ws:
        ws.remember("The garden gate is green")
        ws.upkeep("embed")
        endpoint.fault = FAULTS["500"]
        assert ws.recall("gate").warnings
        endpoint.fault = None
        assert ws.recall("gate").warnings
        seconds[0] = circuit_breaker.PAUSE_SECONDS + 1
        assert ws.recall("gate").warnings == ()


def test_known_dimensions_need_no_request(opened: Opened, endpoint: Endpoint) -> None:
    with opened() as ws:
        ws.remember("The garden gate is green")
        ws.upkeep("embed")
    endpoint.requests.clear()
    with opened() as ws:
        ws.remember("The kettle whistles at five")
        ws.gc()
        assert ws.stats().embedder == "http:m@localhost:64"
        assert ws.stats().waiting == 1
    assert endpoint.requests == []


def test_one_text_that_is_refused_does_not_stop_the_others(opened: Opened, endpoint: Endpoint) -> None:
    def refuse_long(request: Request) -> Answer:
        too_long = any(len(text) > 5_000 for text in request.body["input"])
        return Answer(400, {"error": {"message": "too long"}}) if too_long else ModelServer.route(endpoint, request)

    endpoint.route = refuse_long  # type: ignore[method-assign] # a server that limits its input
    with opened() as ws:
        ws.remember("The garden gate is green")
        ws.session("s").say("user", "An unusually long message about kettles. " * 3_000)
        assert ws.upkeep("embed")["embed"]["embedded"] == 2
    assert max(len(text) for request in endpoint.requests for text in request.body["input"]) <= 16_000


def test_memories_are_stored_when_they_cannot_be_embedded_at_once(opened: Opened, endpoint: Endpoint) -> None:
    endpoint.fault = FAULTS["500"]
    with opened(embed_when="now") as ws:
        assert ws.remember("The kettle whistles at five").outcome is Outcome.STORED
        assert ws.stats().waiting == 1
        endpoint.fault = None
    with opened(embed_when="now") as ws:
        ws.remember("The attic floor creaks")
        assert ws.stats().waiting == 1
        assert ws.upkeep("embed")["embed"]["embedded"] == 1


def test_storing_waits_a_short_time_for_a_vector_and_only_once(opened: Opened, endpoint: Endpoint) -> None:
    endpoint.fault = FAULTS["hangs"]
    with opened(embed_when="now", http_timeout=30, http_retries=2, search_timeout=0.5) as ws:
        started = time.monotonic()
        for n in range(10):
            assert ws.remember(f"Lamp l{n} stands in room m{n * 3}").outcome is Outcome.STORED
        assert time.monotonic() - started < 5
        assert ws.stats().waiting == 10
    assert len(endpoint.requests) == 1


def test_a_failed_run_is_recorded_once_and_not_repeated_at_once(
    opened: Opened, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    monkeypatch.setattr("holdfast.upkeep.background.start", lambda *arguments: started.append(arguments))
    endpoint.fault = FAULTS["500"]
    # A job that never ran is overdue, which starts the background too.
    monkeypatch.setattr("holdfast.upkeep.schedule.any_overdue", lambda *arguments: False)
    with opened(background=True) as ws:
        ws.remember("The kettle whistles at five")
        assert len(started) == 1
        ws.upkeep("embed", linger=1.2)
        assert [(job.name, job.outcome) for job in ws.stats().jobs] == [("embed", "failed")]
        ws.remember("The attic floor creaks")
        assert len(started) == 1
    # The failure of one model does not delay another one.
    with opened(background=True, embed_model="other") as ws:
        assert ws.stats().problem is None
        assert len(started) == 2
        [warning] = ws.recall("kettle").warnings
        assert warning.code is RecallCode.NOTHING_EMBEDDED
        assert len(started) == 2
        ws.remember("The garden gate is green")
        assert len(started) == 3


@pytest.mark.parametrize("fault", ["hangs", "500", "not JSON", "NaN"])
def test_a_reranker_that_fails_leaves_the_order_and_says_so(
    tmp_path: Path, project: Path, endpoint: Endpoint, fault: str
) -> None:
    body = {"results": [{"index": 0, "relevance_score": float("nan")}]} if fault == "NaN" else FAULTS[fault].body
    endpoint.fault = Answer(FAULTS[fault].status, body, hang=FAULTS[fault].hang)
    opened = Opened(tmp_path, project, embedder="none", rerank_url=f"{endpoint.url}/rerank", rerank_model="r")
    with opened(http_timeout=30, http_retries=2) as ws:
        ws.remember("The kettle whistles at five")
        ws.remember("The kettle is red")
        started = time.monotonic()
        for _ in range(3):
            answer = ws.recall("kettle")
            assert len(answer.hits) == 2
            assert [warning.code for warning in answer.warnings] == [RecallCode.RERANKER_FAILED]
        assert time.monotonic() - started < 5
    assert len(endpoint.requests) == 1


def test_a_language_model_that_hangs_is_waited_for_once(
    tmp_path: Path, project: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.container.recall_parts._HYDE_SECONDS", 0.3)
    endpoint.fault = FAULTS["hangs"]
    with Opened(tmp_path, project, embedder="fake", llm_url=f"{endpoint.url}/v1", llm_model="c")() as ws:
        ws.remember("The kettle whistles at five")
        ws.upkeep("embed")
        for query in ("why is it slow?", "and the attic?"):
            [warning] = ws.recall(query).warnings
            assert warning.code is RecallCode.CHAT_FAILED
    assert len(endpoint.requests) == 1


def test_the_language_model_is_not_called_for_a_query_that_cannot_be_embedded(
    opened: Opened, endpoint: Endpoint
) -> None:
    with opened(llm_url=f"{endpoint.url}/v1", llm_model="c") as ws:
        ws.remember("The kettle whistles at five")
        ws.upkeep("embed")
        endpoint.fault = FAULTS["500"]
        endpoint.requests.clear()
        ws.recall("why is it slow?")
    assert {request.path for request in endpoint.requests} == {"/v1/embeddings"}


# -- a model on this machine --


def damage(folder: Path, how: str) -> None:
    [weights] = folder.glob("*.onnx")
    match how:
        case "truncated":
            weights.write_bytes(weights.read_bytes()[:1000])
        case "altered":
            data = bytearray(weights.read_bytes())
            data[len(data) // 2] ^= 1
            weights.write_bytes(data)
        case "missing":
            weights.unlink()
        case "no card":
            (folder / "model.json").unlink()
        case "bad card":
            (folder / "model.json").write_text('{"name": ')
        case "no tokenizer":
            (folder / "tokenizer.json").unlink()
        case "no folder":
            shutil.rmtree(folder)
        case "a file":
            shutil.rmtree(folder)
            folder.write_text("x")


@pytest.mark.parametrize(
    "how", ["truncated", "altered", "missing", "no card", "bad card", "no tokenizer", "no folder", "a file"]
)
def test_everything_works_with_a_damaged_model(tmp_path: Path, project: Path, how: str) -> None:
    folder = tmp_path / "model"
    write_foreign(folder)
    opened = Opened(tmp_path, project, embedder=str(folder))
    with opened() as ws:
        ws.remember("The garden gate is green")
        assert ws.upkeep("embed")["embed"]["embedded"] == 1
    damage(folder, how)
    with opened() as ws:
        answer = use_everything(ws)
        [warning] = answer.warnings
        assert str(folder) in f"{warning.values}"
        failed = ws.upkeep("embed")["embed"]["failed"]
        assert failed.code is UpkeepCode.MODEL_FAILED
        assert not ws.doctor().sound
        assert ws.stats().problem == failed


@pytest.mark.parametrize(
    "settings",
    [{"embedder": "http"}, {"embedder": "owner/never-pulled"}, {"embedder": "../somewhere"}, {"embedder": "/nowhere"}],
)
def test_everything_works_with_settings_that_name_no_model(
    tmp_path: Path, project: Path, settings: dict[str, Any]
) -> None:
    with Opened(tmp_path, project, **settings)() as ws:
        [warning] = use_everything(ws).warnings
        assert warning.code is RecallCode.NOTHING_EMBEDDED
        assert ws.stats().problem is not None
        assert "failed" in ws.upkeep("embed")["embed"]
    # Choosing such a model is refused.
    with Opened(tmp_path, project, embedder="none")() as ws, pytest.raises(holdfast.HoldfastError):
        ws.use_model(settings["embedder"])


# -- another model --


def test_another_model_answers_by_words_until_its_vectors_exist(opened: Opened, endpoint: Endpoint) -> None:
    with opened(embed_model="a") as ws:
        ws.remember("The kettle whistles at five")
        ws.upkeep("embed")
        assert ws.recall("kettle").warnings == ()
    with opened(embed_model="b") as ws:
        answer = ws.recall("kettle")
        assert [hit.text for hit in answer.hits] == ["The kettle whistles at five"]
        assert answer.warnings == (Reason.of(RecallCode.NOTHING_EMBEDDED, model="http:b@localhost"),)
        assert (ws.stats().waiting, ws.stats().totals["vectors"]) == (1, 1)
        assert ws.upkeep("embed")["embed"] == {"embedded": 1, "dropped": 1}
        assert ws.recall("kettle").warnings == ()


def test_an_empty_store_and_a_search_by_words_warn_of_nothing(opened: Opened, endpoint: Endpoint) -> None:
    endpoint.fault = FAULTS["500"]
    with opened() as ws:
        assert ws.recall("kettle").warnings == ()
        ws.remember("The kettle whistles at five")
        assert ws.recall("kettle", recipe="keyword").warnings == ()
        ws.add_document("docs/tea.md", "# Tea\n\nThe teapot is blue.\n")
        assert ws.search_documents("teapot", "keyword").warnings == ()
    with opened(embedder="none") as ws:
        assert ws.recall("kettle").warnings == ()


# -- what people and agents see --


class Output:
    """What a command printed."""

    def __init__(self, *argv: str) -> None:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.code = run(list(argv))
        self.out, self.err = out.getvalue(), err.getvalue()


def test_the_command_line_says_what_is_missing(
    opened: Opened, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    for name, value in {**opened.settings, "db": opened.db, "project": opened.project}.items():
        monkeypatch.setenv(f"HOLDFAST_{name.upper()}", str(value))
    endpoint.fault = FAULTS["500"]
    assert Output("remember", "The kettle whistles at five").code == 0
    failed = Output("upkeep", "embed")
    assert (failed.code, "overloaded" in failed.out) == (1, True)
    found = Output("search", "kettle")
    assert found.code == 0
    assert "The kettle whistles at five" in found.out
    assert found.out.splitlines()[-1].startswith(
        "Note: searched by words only, because nothing is embedded with http:m"
    )
    assert "answered 500: overloaded" in found.out
    french = Output("search", "kettle", "--lang", "fr").out.splitlines()[-1]
    assert french.startswith("Remarque : recherche par mots seulement")
    [warning] = json.loads(Output("search", "kettle", "--json").out)["warnings"]
    assert (warning["code"], "overloaded" in warning["text"]) == ("recall.nothing_embedded_yet", True)
    context = Output("context", "when does the kettle whistle?")
    assert (context.code, "by words only" in context.out) == (0, False)
    assert context.err.startswith("holdfast: Note: searched by words only")
    assert json.loads(Output("context", "kettle", "--json").out)["warnings"]
    stats = Output("stats")
    assert (stats.code, stats.out.count("overloaded")) == (0, 2)  # the problem, and the failed job
    doctor = Output("doctor")
    assert (doctor.code, "overloaded" in doctor.out) == (0, True)
    for command in (["gc"], ["consolidate"], ["list"], ["upkeep"]):
        assert Output(*command).code == (1 if command == ["upkeep"] else 0)


def test_an_agent_is_told_what_is_missing(opened: Opened, endpoint: Endpoint) -> None:
    from holdfast.interfaces.mcp import calls

    endpoint.fault = FAULTS["500"]
    with opened() as ws:
        stored = calls.remember(ws, {"text": "The kettle whistles at five"})
        assert stored.data["outcome"] == "stored"
        ws.upkeep("embed")
        reply = calls.search(ws, {"query": "kettle"})
        assert reply.data["found"] == 1
        assert "Note: searched by words only" in reply.text
        assert "Note: searched by words only" in calls.search(ws, {"query": "zebra"}).text
        assert "Problem: the embedding model http:m@localhost failed" in calls.stats(ws, {}).text
