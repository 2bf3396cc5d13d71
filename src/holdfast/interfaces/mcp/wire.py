"""Turns the text of a message into its answer, the same for every transport."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from typing import Any

from holdfast.interfaces.mcp.mcp_protocol import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    Notify,
    Protocol,
    ProtocolError,
)

# Requests that may open the store or take long: a transport answers them in a thread.
SLOW = ("tools/call", "resources/read", "prompts/get", "completion/complete")

Message = dict[str, Any]


def parsed(text: str) -> Message:
    """Returns the message in a text. Raises ProtocolError. Half of a surrogate pair becomes a question mark.

    NaN and infinity are refused: an answer that repeats them would be no JSON.
    """
    try:
        message = _JSON.decode(text)
        if "\\u" in text:
            message = json.loads(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise ProtocolError(PARSE_ERROR, "Parse error") from None
    if not isinstance(message, dict):
        raise ProtocolError(INVALID_REQUEST, "A message is an object.")
    return message


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(number)
    return value


_JSON = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)


def dumped(message: Mapping[str, Any]) -> bytes:
    """Returns a message as one line of UTF-8."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def notification(method: str, params: Mapping[str, Any]) -> Message:
    """Returns a message that asks for no answer."""
    return {"jsonrpc": "2.0", "method": method, "params": dict(params)}


def refusal(refused: ProtocolError, id: object = None) -> Message:
    """Returns the answer to a request that is refused."""
    return {"jsonrpc": "2.0", "id": id, "error": refused.error}


def answered(protocol: Protocol, message: Message, notify: Notify = lambda *_: None) -> Message:
    """Returns the answer to a request; never raises."""
    id = message.get("id")
    try:
        return {"jsonrpc": "2.0", "id": id, "result": _result(protocol, message, notify)}
    except ProtocolError as refused:
        return refusal(refused, id)
    except Exception as error:  # noqa: BLE001 - the client must get an answer, and the server must go on
        sys.stderr.write(f"holdfast: internal error ({type(error).__name__}: {error})\n")
        return refusal(ProtocolError(INTERNAL_ERROR, "Internal error"), id)


def _result(protocol: Protocol, message: Message, notify: Notify) -> Mapping[str, Any]:
    params = message.get("params") or {}
    if not isinstance(message["id"], str | int) or not isinstance(message["method"], str):
        raise ProtocolError(INVALID_REQUEST, "A request needs an id and the name of a method.")
    if not isinstance(params, dict):
        raise ProtocolError(INVALID_REQUEST, "The parameters of a request are an object.")
    return protocol.answer(message["method"], params, notify)
