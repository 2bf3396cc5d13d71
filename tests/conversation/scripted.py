"""A language model over real HTTP that says what a test gives it to say, by what it is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from holdfast.conversation.limited_chat import prompt
from tests.models.servers import Answer, ModelServer, Request

PURPOSES = {
    "consolidate": "consolidate.v1",
    "conflict": "conflict.v1",
    "reflect": "reflect.v1",
    "compress": "compress.v1",
}
HANG = Answer(hang=True)
BROKEN = Answer(500, {"error": {"message": "the model fell over"}})


class ScriptedModel(ModelServer):
    """Gives the answers of each purpose in order, the last one again and again; unasked it says nothing useful."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, list[str | Answer]] = {}
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def says(self, purpose: str, *answers: str | Answer | Mapping[str, Any]) -> None:
        self.lines[purpose] = [json.dumps(a) if isinstance(a, Mapping) else a for a in answers]

    def count(self, purpose: str) -> int:
        return sum(of == purpose for of, _ in self.asked)

    def settings(self, **more: Any) -> dict[str, Any]:
        """What a workspace is opened with to ask this model."""
        return {"llm_url": f"{self.url}/v1", "llm_model": "scripted", **more}

    def route(self, request: Request) -> Answer:
        if request.path != "/v1/chat/completions":
            return super().route(request)
        purpose = purpose_of(request.body)
        self.asked.append((purpose, request.body))
        lines = self.lines.get(purpose, ["I would rather not."])
        said = lines.pop(0) if len(lines) > 1 else lines[0]
        return said if isinstance(said, Answer) else reply(said)


def purpose_of(body: Mapping[str, Any]) -> str:
    """What a request asks for, told by the prompt it begins with."""
    system = body["messages"][0]["content"]
    return next(purpose for purpose, name in PURPOSES.items() if system.startswith(prompt(name)))


def reply(text: str, prompt_tokens: int = 120, completion_tokens: int = 40) -> Answer:
    """A completion as OpenAI-compatible servers send it."""
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
    return Answer(body={"choices": [{"message": message}], "usage": usage})


def page(entry: str = "", *facts: Mapping[str, Any]) -> dict[str, Any]:
    """A good answer about a page."""
    return {"history_entry": entry, "facts": list(facts)}


def fact(text: str, *evidence: int, type: str = "fact", replaces: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"text": text, "type": type, "evidence": list(evidence), "replaces": list(replaces)}
