"""Checks the headers that repeat parts of a message, which proxies route by (since 2026-07-28)."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any, Protocol

from holdfast.interfaces.mcp.mcp_protocol import (
    HANDSHAKE_VERSIONS,
    HEADER_MISMATCH,
    INVALID_REQUEST,
    VERSION_KEY,
    VERSIONS_PER_REQUEST,
    ProtocolError,
)

_VERSION, _METHOD, _NAME = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"
# The parameter that the header with the name repeats.
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_ENCODED = re.compile(r"=\?base64\?(.*)\?=")


class Headers(Protocol):
    """The headers of a request; a name may occur several times."""

    def get_all(self, name: str) -> list[str] | None: ...


def check_headers(headers: Headers, message: Mapping[str, Any]) -> None:
    """Raises ProtocolError if a header disagrees with the message."""
    version, params = _one(headers, _VERSION), message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict) or VERSION_KEY not in meta or message.get("method") == "initialize":
        _check_handshake_version(version, message)
        return
    _require(version == meta[VERSION_KEY], _VERSION)
    _require(_one(headers, _METHOD) == message.get("method"), _METHOD)
    named_by = _NAMED_BY.get(str(message.get("method")))
    named = params.get(named_by) if named_by and isinstance(params, dict) else None
    if named is not None:
        _require(_decoded(_one(headers, _NAME)) == named, _NAME)


def _check_handshake_version(version: str | None, message: Mapping[str, Any]) -> None:
    if version is None or version in HANDSHAKE_VERSIONS or message.get("method") == "initialize":
        return
    if version in VERSIONS_PER_REQUEST and "id" not in message:
        return  # A notification needs no _meta.
    raise ProtocolError(INVALID_REQUEST, f"The version of {_VERSION} is not the one of this request.")


def _one(headers: Headers, name: str) -> str | None:
    found = headers.get_all(name) or []
    _require(len(found) <= 1, name)
    return found[0].strip() if found else None


def _require(is_right: bool, name: str) -> None:
    if not is_right:
        raise ProtocolError(HEADER_MISMATCH, f"The header {name} does not match the request.")


def _decoded(value: str | None) -> str | None:
    """Decodes a value with characters that a header cannot have."""
    encoded = _ENCODED.fullmatch(value or "")
    if encoded is None:
        return value
    try:
        return base64.b64decode(encoded[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
