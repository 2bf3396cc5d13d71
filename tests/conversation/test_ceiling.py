"""Language model calls stay within the daily ceiling."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.clock import FixedClock
from holdfast.core.errors import CeilingReached, ModelGarbled, ModelRefused, ModelUnreachable
from holdfast.llm.ceiling import Ceiling
from holdfast.llm.limited_chat import limited_chat
from holdfast.models.protocols import Chat
from holdfast.workspace import Workspace
from tests.conversation.scripted import BROKEN, HANG, ScriptedModel, reply
from tests.models.servers import Answer

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCHEMA = {"type": "object", "properties": {"reflection": {"type": "string"}}}


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as server:
        server.says("reflect", '{"reflection": "fine"}')
        yield server


def ceiling(ws: Workspace, calls: int = 3, tokens: int = 100_000, clock: FixedClock | None = None) -> Ceiling:
    return Ceiling(ws.container.store.model_usage, (clock or FixedClock(NOON)).now, calls, tokens)


def chat(ws: Workspace, model: ScriptedModel, ceiling: Ceiling, seconds: float = 5) -> Chat:
    settings = holdfast.Settings(**model.settings())
    made = limited_chat(settings, "reflect", ceiling, seconds, redact=str, fields=("reflection",))
    assert made is not None
    return made


def ask(chat: Chat) -> str:
    from holdfast.llm.limited_chat import prompt

    return chat.complete(prompt("reflect.v1"), "the week", schema=SCHEMA, max_tokens=50).text


def test_a_key_without_a_url_gives_no_model(ws: Workspace) -> None:
    settings = holdfast.Settings(llm_key="k", llm_model="m")
    assert limited_chat(settings, "reflect", ceiling(ws), 5, redact=str) is None


def test_calls_are_counted_and_the_last_is_refused_before_it_is_made(ws: Workspace, model: ScriptedModel) -> None:
    limit = ceiling(ws)
    for _ in range(3):
        assert ask(chat(ws, model, limit)) == '{"reflection": "fine"}'
    with pytest.raises(CeilingReached, match="daily limit"):
        ask(chat(ws, model, limit))
    assert len(model.asked) == 3
    spent = limit.spent()
    assert (spent.calls, spent.tokens, spent.refused, spent.most_calls) == (3, 3 * 160, 1, 3)
    assert spent.by_purpose["reflect"] == {
        "calls": 3, "prompt_tokens": 360, "completion_tokens": 120, "refused": 1,
    }  # fmt: skip


def test_tokens_are_reserved_in_full_before_the_call(ws: Workspace, model: ScriptedModel) -> None:
    with pytest.raises(CeilingReached):
        ask(chat(ws, model, ceiling(ws, tokens=60)))
    assert model.asked == []


def test_counting_restarts_each_day(ws: Workspace, model: ScriptedModel) -> None:
    clock = FixedClock(NOON)
    limit = ceiling(ws, calls=1, clock=clock)
    ask(chat(ws, model, limit))
    with pytest.raises(CeilingReached):
        ask(chat(ws, model, limit))
    clock.advance(13 * 3600)
    ask(chat(ws, model, limit))


def test_missing_token_counts_are_estimated(ws: Workspace, model: ScriptedModel) -> None:
    answer = reply('{"reflection": "fine"}')
    answer.body.pop("usage")
    model.says("reflect", answer)
    limit = ceiling(ws)
    ask(chat(ws, model, limit))
    counts = limit.spent().by_purpose["reflect"]
    assert 100 < counts["prompt_tokens"] < 400
    assert 3 < counts["completion_tokens"] < 20


@pytest.mark.parametrize("count", [float("inf"), -5, 10**400, "many", None, 1.5])
def test_wrong_token_counts_are_estimated(ws: Workspace, model: ScriptedModel, count: Any) -> None:
    answer = reply('{"reflection": "fine"}')
    answer.body["usage"] = {"prompt_tokens": count, "completion_tokens": count}
    model.says("reflect", answer)
    limit = ceiling(ws)
    assert ask(chat(ws, model, limit)) == '{"reflection": "fine"}'
    counts = limit.spent().by_purpose["reflect"]
    assert 100 < counts["prompt_tokens"] < 400
    assert 3 < counts["completion_tokens"] < 20


def test_an_answer_without_end_costs_what_the_model_may_write_and_is_no_answer(
    ws: Workspace, model: ScriptedModel
) -> None:
    answer = reply('{"reflection": "' + "tea " * 3_000_000 + '"}')
    answer.body.pop("usage")
    model.says("reflect", answer)
    limit = ceiling(ws)
    with pytest.raises(ModelGarbled, match="several times as long"):
        ask(chat(ws, model, limit))
    assert limit.spent().by_purpose["reflect"]["completion_tokens"] == 50


@pytest.mark.parametrize("failing", [BROKEN, HANG])
def test_a_failed_call_stays_counted(ws: Workspace, model: ScriptedModel, failing: Answer) -> None:
    model.says("reflect", failing)
    limit = ceiling(ws)
    with pytest.raises(ModelUnreachable):
        ask(chat(ws, model, limit, seconds=0.3))
    assert (limit.spent().calls, len(model.asked)) == (1, 1)
    assert limit.spent().tokens > 100


def test_a_refusal_costs_a_call_and_no_tokens(ws: Workspace, model: ScriptedModel) -> None:
    model.says("reflect", Answer(403, {"error": {"message": "no"}}))
    limit = ceiling(ws)
    with pytest.raises(ModelRefused):
        ask(chat(ws, model, limit))
    assert (limit.spent().calls, limit.spent().tokens) == (1, 0)


def test_json_is_repaired_when_the_schema_is_in_the_prompt(ws: Workspace, model: ScriptedModel) -> None:
    unwanted = Answer(400, {"error": {"message": "response_format is not supported"}})
    model.says("reflect", unwanted, 'Well: {"reflection": "fine", "mood": ')
    limit = ceiling(ws)
    assert ask(chat(ws, model, limit)) == '{"reflection": "fine"}'
    assert limit.spent().calls == 2


def test_an_unreadable_answer_is_garbled(ws: Workspace, model: ScriptedModel) -> None:
    model.says("reflect", "I would rather not.")
    with pytest.raises(ModelGarbled):
        ask(chat(ws, model, ceiling(ws)))


def test_concurrent_calls_do_not_exceed_it(ws: Workspace, model: ScriptedModel) -> None:
    limit = ceiling(ws, calls=5)

    def attempt(_: int) -> bool:
        try:
            return bool(ask(chat(ws, model, limit)))
        except CeilingReached:
            return False

    with ThreadPoolExecutor(4) as threads:
        done = list(threads.map(attempt, range(12)))
    assert (sum(done), len(model.asked)) == (5, 5)


def test_search_with_a_model_counts_against_the_ceiling(tmp_path: Path, project: Path) -> None:
    with ScriptedModel() as model:
        settings = model.settings(llm_daily_calls=0)
        with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), **settings) as ws:
            ws.remember("Tea is at four")
            ws.upkeep("embed")
            ws.recall("zebra quantum lattice")
            assert model.asked == []
            assert ws.stats().llm.refused >= 1
