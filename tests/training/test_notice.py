"""What the package says about the texts its models were trained on."""

import re
from pathlib import Path

from training.model_card import text
from training.sources import SOURCES, sources

from holdfast.models.own_model import OWN


def test_the_notice_states_the_licence_of_each_set_of_the_reader() -> None:
    notice = (Path(OWN) / "NOTICE").read_text(encoding="utf-8")
    stated = dict(re.findall(r"(?m)^  (\S+/\S+) \(.*\): (\S+)$", notice))
    assert stated == {name: source.licence for name, source in sources().items() if source.teaches("reader")}


def test_the_model_card_is_what_its_generator_writes() -> None:
    assert (Path(OWN) / "MODEL_CARD.md").read_text(encoding="utf-8") == text(SOURCES.parent / "record")
