"""Recall judges cosines in the units of their embedder: one whose cosines centre on zero is not silenced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast
from holdfast.core.cosine_scale import MeasuredCosines
from holdfast.core.errors import ModelUnreachable
from holdfast.models.choice import bundled_embedder
from holdfast.models.cosine_measurement import unrelated_texts
from holdfast.models.fake import FakeEmbedder
from holdfast.models.own_model import OWN, read_space
from holdfast.models.protocols import Embedder
from holdfast.recall.weigh.cosine_scales import UNKNOWN, EmbedderScales
from holdfast.workspace import Workspace
from tests.models.servers import Answer, ModelServer

MEMORIES = {
    "The nightly backup is copied to the vault in Frankfurt": "where is the nightly backup kept?",
    "Invoices are rounded to whole cents before the tax is added": "how do we round amounts on invoices?",
    "Clara is allergic to peanuts": "which food is Clara allergic to?",
    "The login form times out after ten minutes without input": "when does the login form expire?",
    "We chose Postgres because the reports need window functions": "why did we choose this database and not another?",
    "The red kettle whistles when the water boils": "which kettle whistles?",
    "Grandmother was born in Lisbon in 1931": "when was my grandmother born?",
    "Deploys are forbidden on Fridays": "on which day must we not deploy?",
}
NONSENSE = ("who won the chess championship in Reykjavik?", "which opera did he conduct in Milan?")


@cache
def bundled() -> Embedder:
    return bundled_embedder()


@cache
def mean_vector() -> Any:
    return bundled().embed(unrelated_texts()[1]).mean(axis=0)


class BundledServer(ModelServer):
    """The bundled model over HTTP, without its mean vector: the same ranking, but cosines that centre on zero."""

    def __init__(self, centred: bool) -> None:
        super().__init__(384)
        self.centred = centred

    def _embeddings(self, body: Mapping[str, Any]) -> Answer:
        vectors = bundled().embed(body["input"]) - (mean_vector() if self.centred else 0.0)
        rows = [{"index": row, "embedding": vector.tolist()} for row, vector in enumerate(vectors)]
        return Answer(body={"data": rows})


@pytest.fixture(params=[False, True], ids=["cosines around 0.6", "cosines around 0"])
def foreign(request: pytest.FixtureRequest, tmp_path: Path, project: Path) -> Iterator[Workspace]:
    with BundledServer(request.param) as server:
        named: dict[str, Any] = {
            "embedder": "http",
            "embed_url": f"{server.url}/v1",
            "embed_model": "some-embedder",
        }
        with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), search_timeout=30, **named) as workspace:
            yield workspace


def answered(ws: Workspace) -> list[str]:
    """The questions whose answer comes first."""
    firsts = {question: ws.recall(question).hits[:1] for question in MEMORIES.values()}
    return [question for text, question in MEMORIES.items() if [hit.text for hit in firsts[question]] == [text]]


@pytest.mark.integration
def test_a_foreign_model_answers_and_is_uncertain_where_nothing_answers(foreign: Workspace) -> None:
    for text in MEMORIES:
        foreign.remember(text)
    foreign.upkeep("embed")
    assert len(answered(foreign)) >= 7
    given = [foreign.recall(question).hits for question in NONSENSE]
    assert () in given
    assert {hit.certainty for hits in given for hit in hits} <= {"maybe"}


@pytest.mark.integration
def test_stored_vectors_are_enough_until_the_cosines_are_measured(
    foreign: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.upkeep.cosine_job.measure_cosines", lambda *_: None)
    for text in (*MEMORIES, *unrelated_texts()[1]):
        foreign.remember(text)
    foreign.upkeep("embed")
    assert foreign.container.reading.measured_cosines(str(foreign.stats().embedder)) is None
    assert len(answered(foreign)) >= 7


def test_the_job_measures_once_and_again_when_the_store_has_grown(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embedder="fake") as ws:

        def measured() -> MeasuredCosines:
            found = ws.container.reading.measured_cosines(str(ws.stats().embedder))
            assert found is not None
            return found

        def fill(texts: Sequence[str]) -> None:
            ws.remember_all(holdfast.Candidate(text) for text in texts)
            ws.upkeep("embed")

        fill([f"Lamp l{n} stands in room m{n * 3}" for n in range(3)])
        first = measured()
        assert (first.passages, ws.stats().totals["cached"]) == (3, 3)
        fill(["The attic floor creaks"])
        assert measured() == first
        fill([f"Bottle b{n} holds wine w{n * 7}" for n in range(50)])
        assert measured().passages == 54
        assert measured().scales != first.scales
        before = measured()
        fill(["The kettle whistles at five"])
        assert measured() == before


def test_vectors_of_an_earlier_release_are_measured_too(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embed_when="now") as ws:
        ws.remember("The kettle whistles at five")
        assert ws.container.reading.measured_cosines("fake@1:256") is None
        assert ws.upkeep("embed")["embed"]["embedded"] == 0
        assert ws.container.reading.measured_cosines("fake@1:256") is not None


def test_nothing_is_measured_for_an_empty_store_or_with_a_model_that_fails(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embed_when="now") as ws:
        ws.upkeep("embed")
        ws.remember("The kettle whistles at five")
        monkeypatch.setattr(FakeEmbedder, "embed_query", lambda *_: fail())
        assert ws.upkeep("embed")["embed"]["embedded"] == 0
        assert ws.container.reading.measured_cosines("fake@1:256") is None


def fail() -> None:
    raise ModelUnreachable("down")


def test_the_bundled_model_is_not_measured(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embedder="bundled") as ws:
        ws.remember("The kettle whistles at five")
        ws.upkeep("embed")
        assert ws.container.reading.measured_cosines(str(ws.stats().embedder)) is None
        assert ws.container.embedder_scales("any") == read_space(OWN).cosines


def test_almost_no_vectors_are_judged_leniently(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embed_when="now") as ws:
        scales = EmbedderScales(ws.container.reading)
        assert scales("fake@1:256") is UNKNOWN
        ws.remember_all(holdfast.Candidate(text) for text in unrelated_texts()[1])
        estimated = EmbedderScales(ws.container.reading)("fake@1:256")
        assert -0.1 < estimated.of_query().mean < estimated.of_passages().mean < 0.3


def test_a_sample_of_vectors_is_random_and_bounded(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project)) as ws:
        reading = ws.container.reading
        assert len(reading.sample_vectors("fake@1:256", 5)) == 0
        ws.remember_all(holdfast.Candidate(text) for text in unrelated_texts()[1])
        ws.upkeep("embed")
        assert reading.sample_vectors("fake@1:256", 5).shape == (5, 256)
        every = reading.sample_vectors("fake@1:256", 500)
        assert every.shape == (40, 256)
        assert np.linalg.norm(every, axis=1) == pytest.approx(np.ones(40), abs=1e-2)
        assert len(reading.sample_vectors("another", 5)) == 0
