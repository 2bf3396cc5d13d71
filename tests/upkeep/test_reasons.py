"""Every reason of background work has a sentence, also after it was stored."""

from __future__ import annotations

import pytest

from holdfast.core.reason import Code, Reason
from holdfast.entities.entity_reasons import EntityCode
from holdfast.interfaces.messages import messages, text_of, text_of_stored
from holdfast.upkeep.background import _storable
from holdfast.upkeep.upkeep_reasons import UpkeepCode


@pytest.mark.parametrize("codes", [UpkeepCode, EntityCode])
def test_every_code_has_its_sentence(codes: type[Code]) -> None:
    package = next(iter(codes)).partition(".")[0]
    assert set(messages(package)) == set(codes)


def test_a_stored_reason_is_shown_like_a_new_one() -> None:
    reason = Reason.of(EntityCode.NOT_ACCURATE, value="fast")
    assert _storable({"skipped": reason, "enriched": 0}) == {
        "skipped": {"code": "entities.not_accurate", "values": {"value": "fast"}},
        "enriched": 0,
    }
    assert text_of_stored(_storable(reason)) == text_of(reason) == "the setting entities is fast"


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("no embedder", "no embedder"),
        (3, "3"),
        ({"code": "upkeep.of_a_later_release", "values": {}}, "upkeep.of_a_later_release"),
        ({"code": "later.code", "values": {}}, "later.code"),
    ],
)
def test_stored_text_without_a_known_code_is_shown_verbatim(stored: object, text: str) -> None:
    assert text_of_stored(stored) == text
