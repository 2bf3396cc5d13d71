"""Reads the records of a transcript file one by one: lines of JSON, a JSON array, or a zip with either.

Only the current record is in memory, so a file may have any size. Truncated or invalid JSON is skipped and counted.
"""

from __future__ import annotations

import codecs
import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any

from holdfast.conversation.reasons import ConversationCode
from holdfast.core.errors import InvalidFile

if TYPE_CHECKING:
    from holdfast.core.reason import Code

LONGEST_LINE = 32 * 1024 * 1024
LARGEST_ELEMENT = 64 * 1024 * 1024
LARGEST_MEMBER = 4 * 1024**3
# Conversations are compressed to about a tenth; blanks, which only keep a reader busy, to a thousandth.
_LARGEST_RATIO, _SMALL_MEMBER = 100, 64 * 1024 * 1024

_CHUNK = 1 << 16
_ZIP = b"PK\x03\x04"
_SEPARATORS = re.compile("[ \t\r\n\ufeff\\[,]*")
_DECODER = json.JSONDecoder()


def records(path: Path, skipped: Counter[Code]) -> Generator[dict[str, Any]]:
    """The JSON objects of a file in order. Raises InvalidFile if it cannot be opened."""
    try:
        if not path.is_file():
            problem = f"{path} is not a file" if path.exists() else f"{path} does not exist"
            raise InvalidFile(problem, hint="Name a transcript file, or a folder of them.")
        with path.open("rb") as file:
            head = file.read(4096)
            file.seek(0)
            if head.startswith(_ZIP):
                yield from _inside_zip(file, skipped)
            elif head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
                yield from elements(file, skipped)
            else:
                yield from _lines(file, skipped)
    except OSError as error:
        raise InvalidFile(f"{path} cannot be read ({error.strerror})", hint="Check its path.") from error


def elements(file: IO[bytes], skipped: Counter[Code]) -> Iterator[dict[str, Any]]:
    """The objects of a JSON array, read chunk by chunk. Ends where the array is truncated or an element too large."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    buffer, at, more = "", 0, True
    while True:
        at = _next_element(buffer, at)
        try:
            element, at = _DECODER.raw_decode(buffer, at)
        except (ValueError, RecursionError):
            if buffer.startswith("]", at) or (not more and at == len(buffer)):
                return
            if not more or len(buffer) - at > LARGEST_ELEMENT:
                skipped[ConversationCode.LINE_TOO_LONG if more else ConversationCode.NOT_JSON] += 1
                return
            # Doubling the buffer means that a large element is parsed a few times, not once for each chunk.
            chunk = file.read(max(_CHUNK, len(buffer) - at))
            buffer, at, more = buffer[at:] + decoder.decode(chunk, not chunk), 0, bool(chunk)
            continue
        if isinstance(element, dict):
            yield element
        else:
            skipped[ConversationCode.NOT_JSON] += 1


def _next_element(text: str, at: int) -> int:
    found = _SEPARATORS.match(text, at)
    return found.end() if found else at


def _inside_zip(file: IO[bytes], skipped: Counter[Code]) -> Iterator[dict[str, Any]]:
    try:
        with zipfile.ZipFile(file) as archive:
            for member in sorted(archive.infolist(), key=lambda member: member.filename):
                if _holds_conversations(member):
                    _check_size(member)
                    with archive.open(member) as opened:
                        yield from elements(opened, skipped)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        hint = "Messages read before this point are kept. Check the file."
        raise InvalidFile(f"the zip cannot be read ({error})", hint=hint) from error


def _check_size(member: zipfile.ZipInfo) -> None:
    if member.file_size > max(_SMALL_MEMBER, _LARGEST_RATIO * member.compress_size):
        what = f"{member.filename} expands from {member.compress_size:,} to {member.file_size:,} bytes"
        raise InvalidFile(what, hint="No conversation is compressed that much. Messages read before it are kept.")


def _holds_conversations(member: zipfile.ZipInfo) -> bool:
    name = PurePosixPath(member.filename)
    if name.parts[:1] == ("__MACOSX",) or member.file_size > LARGEST_MEMBER:
        return False
    return name.suffix == ".json" and (name.stem == "conversations" or name.stem.startswith("conversations-"))


def _lines(file: IO[bytes], skipped: Counter[Code]) -> Iterator[dict[str, Any]]:
    first = file.readline(LONGEST_LINE)
    if _parsed(first) is None and (whole := _whole(file)) is not None:
        yield whole
        return
    file.seek(0)
    for line in _short_lines(file, skipped):
        record = _parsed(line)
        if record is not None:
            yield record
        elif line.strip(b" \t\r\n\xef\xbb\xbf\0"):
            skipped[ConversationCode.NOT_JSON] += 1


def _whole(file: IO[bytes]) -> dict[str, Any] | None:
    """The file as one JSON object over several lines; None if it is not one, or too large."""
    file.seek(0)
    content = file.read(LARGEST_ELEMENT + 1)
    return _parsed(content) if len(content) <= LARGEST_ELEMENT and content.rstrip().endswith(b"}") else None


def _short_lines(file: IO[bytes], skipped: Counter[Code]) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE):
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        skipped[ConversationCode.LINE_TOO_LONG] += 1
        while (rest := file.readline(_CHUNK)) and not rest.endswith(b"\n"):
            pass


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line.decode("utf-8", "replace").lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
