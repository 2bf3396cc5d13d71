"""Static vectors are stored with their texts; the background replaces them by better ones and migrates old stores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.reason import Reason
from holdfast.core.vector_size import VectorSize
from holdfast.intake.message_intake import IncomingMessage
from holdfast.models.fake import FakeEmbedder
from holdfast.upkeep import embed_job
from holdfast.upkeep.upkeep_reasons import UpkeepCode
from holdfast.workspace import Workspace
from tests.models.sized import SPACE, SizedEmbedder, use_sizes


@pytest.fixture
def sized(ws: Workspace) -> Workspace:
    return use_sizes(ws)


def fill(ws: Workspace) -> int:
    """Stores texts in every way; returns how many passages there are."""
    ws.remember("The kettle whistles at five")
    ws.remember_all([holdfast.Candidate(f"Lamp {n} stands in the attic", "fact") for n in range(3)])
    ws.session("s").say("user", "My sister Clara moved to Lisbon.")
    ws.session("s").say_all([IncomingMessage("user", "one more"), IncomingMessage("assistant", "indeed")])
    ws.add_document("tea.md", "# Tea\n\nSteep it for long.\n")
    return ws.stats().totals["passages"]


def test_every_text_has_a_static_vector_when_it_is_stored(sized: Workspace) -> None:
    count = fill(sized)
    stats = sized.stats()
    assert (stats.vectors, stats.waiting, stats.improvable) == ({"static": count}, 0, count)
    # Found by meaning alone: the recipe uses no words.
    hit = sized.recall("whistling kettles", recipe="vector").hits[0]
    assert hit.text == "The kettle whistles at five"


def test_a_changed_and_a_corrected_memory_have_a_vector_at_once(sized: Workspace) -> None:
    first = sized.remember("The kettle whistles at five").memory
    assert first is not None
    sized.upkeep("embed")
    sized.remember("The kettle whistles at five", tags=["kitchen"])
    assert sized.stats().vectors == {"static": 1}
    sized.correct(first.id, "The kettle whistles at six")
    assert sized.stats().vectors == {"static": 2}


def test_the_text_is_the_same_for_every_size(sized: Workspace) -> None:
    sized.remember("The kettle whistles", files=["kitchen/kettle.py"], type="gotcha")
    reading, embedder = sized.container.reading, SizedEmbedder(VectorSize.SMALL)
    static = reading.vectors(SPACE, [1])[1]
    sized.upkeep("embed")
    assert reading.vectors(SPACE, [1])[1].tolist() == static.tolist()
    text = "Files: kitchen/kettle.py | Type: gotcha\n\nThe kettle whistles"
    assert static == pytest.approx(embedder.embed([text])[0], abs=1e-3)


def test_the_background_replaces_static_vectors(sized: Workspace) -> None:
    count = fill(sized)
    assert sized.upkeep("embed") == {"embed": {"embedded": count, "dropped": 0}}
    stats = sized.stats()
    assert (stats.vectors, stats.waiting, stats.improvable) == ({"small": count}, 0, 0)
    assert sized.upkeep("embed") == {"embed": {"embedded": 0, "dropped": 0}}
    sized.remember("Tea is at four")
    assert sized.stats().vectors == {"static": 1, "small": count}


def test_a_larger_size_needs_no_new_index_and_a_smaller_one_changes_nothing(sized: Workspace) -> None:
    count = fill(sized)
    sized.upkeep("embed")
    use_sizes(sized, VectorSize.BASE)
    assert sized.stats().improvable == count
    assert sized.upkeep("embed")["embed"]["embedded"] == count
    use_sizes(sized, VectorSize.SMALL)
    assert sized.upkeep("embed")["embed"]["embedded"] == 0
    assert sized.stats().vectors == {"base": count}


def test_a_lost_lease_keeps_what_was_done(sized: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed_job, "_BATCH", 2)
    for n in range(6):
        sized.remember(f"Lamp {n} of room {n * 7}")
    resources = sized.container.embedding
    result = resources(lambda state: state["done"] < 2)
    assert result == {"embedded": 2, "stopped": Reason.of(UpkeepCode.LEASE_LOST)}
    # The newest first.
    assert set(sized.container.reading.vectors(SPACE, range(1, 7), VectorSize.SMALL)) == {5, 6}
    assert sized.upkeep("embed")["embed"]["embedded"] == 4


def test_words_are_counted_by_the_background(sized: Workspace) -> None:
    sized.session("s").say("user", "The kettle wistles at five")
    assert not sized.container.reading.spelt_like("kettlle")
    sized.upkeep("embed")
    assert sized.container.reading.spelt_like("kettlle") == ("kettle",)


def test_a_damaged_static_model_stops_no_text_from_being_stored(ws: Workspace) -> None:
    use_sizes(ws, damaged=True)
    count = fill(ws)
    assert (ws.stats().vectors, ws.stats().waiting) == ({}, count)
    assert ws.recall("kettle").hits
    assert ws.upkeep("embed")["embed"] == {"embedded": count, "dropped": 0}
    assert ws.stats().vectors == {"small": count}


def test_another_model_makes_no_static_vectors(ws: Workspace) -> None:
    ws.remember("The kettle whistles")
    assert ws.stats().vectors == {}
    ws.upkeep("embed")
    assert ws.stats().vectors == {"single": 1}


# -- stores with vectors of another model ---------------------------------------------------------------------------


@pytest.fixture
def older(ws: Workspace) -> Workspace:
    """A store with the vectors of another model, opened with a model that has sizes."""
    fill(ws)
    ws.upkeep("embed")
    return use_sizes(ws)


def test_an_older_store_answers_by_words_until_it_has_static_vectors(older: Workspace) -> None:
    count = older.stats().totals["passages"]
    assert (older.stats().vectors, older.stats().waiting) == ({}, count)
    assert older.recall("kettle whistles").hits[0].text == "The kettle whistles at five"
    result = older.upkeep("embed")["embed"]
    assert result == {"embedded": count, "static": count, "dropped": count}
    assert (older.stats().vectors, older.stats().totals["vectors"]) == ({"small": count}, count)


def test_static_vectors_come_first_and_then_the_old_ones_go(older: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed_job, "_STATIC_BATCH", 3)
    count, seen = older.stats().totals["passages"], list[Any]()

    def watch(state: Any) -> bool:
        stats = older.stats()
        seen.append((stats.vectors, stats.totals["vectors"]))
        return len(seen) < 4

    older.container.embedding(watch)
    # Batches of three; the vectors of the other model stay until each passage has a new one.
    assert seen[0] == ({"static": 3}, count + 3)
    assert seen[1] == ({"static": 6}, count + 6)
    assert seen[2] == ({"static": count}, 2 * count)
    assert older.stats().totals["vectors"] == count
    assert older.recall("whistling kettles", recipe="vector").hits[0].text == "The kettle whistles at five"


def test_a_run_that_was_killed_before_it_dropped_old_vectors_is_made_good(older: Workspace) -> None:
    count, store = older.stats().totals["passages"], older.container.store
    embeddings = older.container.opened.static(
        [owner for owner, _ in store.reading.hydrate(range(1, count)).values() if isinstance(owner, holdfast.Memory)]
    )
    assert embeddings
    older.container.embedding(lambda _: False)
    older.upkeep("embed")
    assert older.stats().totals["vectors"] == count
    assert older.upkeep("embed")["embed"]["dropped"] == 0


def test_changing_the_settings_changes_what_is_embedded_at_once(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project)) as ws:
        use_sizes(ws)
        ws.remember("The kettle whistles")
        ws.use_model("none")
        ws.remember("The attic creaks")
        ws.use_model("fake")
        assert isinstance(ws.container.models.uncached, FakeEmbedder)
        use_sizes(ws)
        assert (ws.stats().vectors, ws.stats().waiting) == ({"static": 1}, 1)


def test_doctor_says_that_better_vectors_follow(sized: Workspace) -> None:
    sized.remember("The kettle whistles")
    [finding] = [finding for finding in sized.doctor().findings if finding.check == "model"]
    assert (finding.level, finding.detail) == (
        "good",
        Reason.of(UpkeepCode.EMBEDDINGS_IMPROVABLE, model=SPACE, count=1),
    )
