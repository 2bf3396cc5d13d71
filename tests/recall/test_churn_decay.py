"""Memories about frequently changed files get a faster decay rate."""

from __future__ import annotations

from holdfast.recall.question import RecallCandidate
from holdfast.recall.weigh.churn_decay import ChurnDecay
from holdfast.workspace import Workspace
from tests.recall.test_steps import question


def test_candidates_get_the_decay_rate_of_their_files(ws: Workspace) -> None:
    ws.remember("The kettle whistles at five", files=["busy.py"])
    ws.remember("Never leave the garden gate open")
    found = tuple(RecallCandidate(passage, {"words": 1}, {}) for passage in (1, 2))
    after, notes = ChurnDecay(ws.container.reading, lambda files: dict.fromkeys(files, 2.0))(question(), found)
    assert [dict(one.factors) for one in after] == [{"fading": 2.0}, {}]
    assert notes == {"scaled": 1}
    assert ChurnDecay(ws.container.reading, None)(question(), found)[0] is found
