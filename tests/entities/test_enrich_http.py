"""Enriching with a language model over real HTTP, and without one that fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import holdfast
from holdfast.entities.llm import prompt
from tests.models.servers import Answer, ModelServer, Request

TEXT = "The harbour office runs Skua, which Ingrid wrote."


class Names(ModelServer):
    """A model that gives every request for names the same answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer

    def route(self, request: Request) -> Answer:
        return self.answer if request.path == "/v1/chat/completions" else super().route(request)


def saying(text: str) -> Answer:
    message = {"role": "assistant", "content": text}
    return Answer(body={"choices": [{"message": message}], "usage": {"prompt_tokens": 9, "completion_tokens": 3}})


GOOD = {"entities": [{"text": "Skua", "label": "application"}, {"text": "Atlantis", "label": "location"}]}


def test_names_that_the_model_finds_in_the_text_are_linked(tmp_path: Path):
    with Names(saying(f"```json\n{json.dumps(GOOD)}\n```")) as model, opened(tmp_path, model) as ws:
        ws.remember(TEXT)
        assert ws.upkeep("enrich")["enrich"]["enriched"] == 1
        assert (ws.entity("skua").entity.type, ws.entity("skua").entity.label) == ("project", "application")
        assert "Atlantis" not in {one.name for one in ws.entities()}
        (request,) = (one for one in model.requests if one.path == "/v1/chat/completions")
    system, user = (message["content"] for message in request.body["messages"])
    assert system.startswith(prompt())
    assert user == TEXT


@pytest.mark.parametrize(
    "answer",
    [saying("I would rather not."), saying('{"entities": [{"te'), Answer(500, {"error": "fell over"})],
    ids=["garbage", "half", "broken"],
)
def test_other_readers_replace_a_failing_model(tmp_path: Path, answer: Answer):
    with Names(answer) as model, opened(tmp_path, model) as ws:
        ws.remember(f"{TEXT[:32]}, written in Python.")
        assert ws.upkeep("enrich")["enrich"]["enriched"] == 1
        assert ws.entity("python").entity.label == "language"
        assert ws.upkeep("enrich")["enrich"]["enriched"] == 0


def test_above_the_daily_limit_no_model_is_asked(tmp_path: Path):
    with Names(saying(json.dumps(GOOD))) as model, opened(tmp_path, model, llm_daily_calls=0) as ws:
        ws.remember(f"{TEXT[:32]}, written in Python.")
        assert ws.upkeep("enrich")["enrich"]["enriched"] == 1
        assert ws.entity("python").entity.mentions == 1
        assert model.requests == []


def opened(folder: Path, model: ModelServer, **settings):
    return holdfast.open(
        db=str(folder / "m.db"),
        project=str(folder),
        embedder="none",
        background=False,
        llm_url=f"{model.url}/v1",
        llm_model="scripted",
        **settings,
    )
