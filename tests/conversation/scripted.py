"""A language model over real HTTP whose answers a test scripts by purpose."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from holdfast.llm.limited_chat import prompt
from tests.models.servers import Answer, ModelServer, Request

PURPOSES = {
    "consolidate": "consolidate.v2",
    "conflict": "conflict.v1",
    "reflect": "reflect.v1",
    "compress": "compress.v1",
}
HANG = Answer(hang=True)
BROKEN = Answer(500, {"error": {"message": "the model fell over"}})


class ScriptedModel(ModelServer):
    """Gives the scripted answers of each purpose in order and repeats the last; without a script it is useless."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: dict[str, list[str | Answer]] = {}
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def says(self, purpose: str, *answers: str | Answer | Mapping[str, Any]) -> None:
        self.scripts[purpose] = [json.dumps(a) if isinstance(a, Mapping) else a for a in answers]

    def count(self, purpose: str) -> int:
        return sum(of == purpose for of, _ in self.asked)

    def settings(self, **more: Any) -> dict[str, Any]:
        """The settings of a workspace that uses this model."""
        return {"llm_url": f"{self.url}/v1", "llm_model": "scripted", **more}

    def route(self, request: Request) -> Answer:
        if request.path != "/v1/chat/completions":
            return super().route(request)
        purpose = purpose_of(request.body)
        self.asked.append((purpose, request.body))
        scripts = self.scripts.get(purpose, ["I would rather not."])
        answer = scripts.pop(0) if len(scripts) > 1 else scripts[0]
        return answer if isinstance(answer, Answer) else reply(answer)


def purpose_of(body: Mapping[str, Any]) -> str:
    """The purpose of a request, recognised by its system prompt."""
    system = body["messages"][0]["content"]
    return next(purpose for purpose, name in PURPOSES.items() if system.startswith(prompt(name)))


def reply(text: str, prompt_tokens: int = 120, completion_tokens: int = 40) -> Answer:
    """A completion as OpenAI-compatible servers send it."""
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
    return Answer(body={"choices": [{"message": message}], "usage": usage})


def page(entry: str = "", *facts: Mapping[str, Any]) -> dict[str, Any]:
    """A valid answer about a page."""
    return {"history_entry": entry, "facts": list(facts)}


def fact(text: str, *evidence: int, type: str = "fact", replaces: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"text": text, "type": type, "evidence": list(evidence), "replaces": list(replaces)}
