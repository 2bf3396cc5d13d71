"""Finds passwords and keys in columns of tables: the name is in the first row, the values are below it."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.intake.secrets.assignments import RANK
from holdfast.intake.secrets.secret_names import kind_named
from holdfast.intake.secrets.secret_patterns import SecretSpan, compiled
from holdfast.intake.secrets.secret_values import is_clear_password, is_code, is_password, is_random, is_stand_in

_SIGNS = ("|", "\t", ",", ";")
_LONGEST_LINE = 2_000
_STEM = "pass|pw|key|token|secret|mdp|wort|jeton|schlüssel"
_NAME = r"[A-Za-z_À-ɏ][\w À-ɏ'’()#-]{0,39}$"


def find_in_columns(text: str, lowered: str) -> Iterator[SecretSpan]:
    """Yields the values below the name of a secret in a markdown or CSV table."""
    end = 0
    for stem in compiled(_STEM).finditer(lowered):
        if stem.start() < end:
            continue
        start = text.rfind("\n", 0, stem.start()) + 1
        line, end = _line(text, start)
        sign, kinds = _header(line)
        count = line.count(sign) if sign else 0
        while sign and end <= len(text):
            at, (row, after) = end, _line(text, end)
            if len(row) > _LONGEST_LINE or row.count(sign) != count:
                break
            yield from _values(row, at, sign, kinds)
            end = after


def _line(text: str, start: int) -> tuple[str, int]:
    """The line that begins at a place, and where the next one begins."""
    stop = text.find("\n", start)
    stop = stop if stop >= 0 else len(text)
    return text[start:stop], stop + 1


def _header(line: str) -> tuple[str, dict[int, str]]:
    """The sign between the columns and the kinds of secrets by column, if the line is a table's first row."""
    if len(line) > _LONGEST_LINE:
        return "", {}
    for sign in _SIGNS:
        cells = [cell.strip(" *") for cell in line.rstrip().split(sign)]
        inner = cells[1:-1] if sign == "|" and not cells[0] else cells
        if len(cells) > 1 and all(compiled(_NAME).match(cell) for cell in inner):
            return sign, {at: kind for at, cell in enumerate(cells) if (kind := kind_named(cell))}
    return "", {}


def _values(line: str, at: int, sign: str, kinds: dict[int, str]) -> Iterator[SecretSpan]:
    for column, cell in enumerate(line.split(sign)):
        kind = kinds.get(column)
        value = cell.strip(" *`\"'\r")
        if kind and len(value) >= 6 and " " not in value and not is_stand_in(value) and not is_code(value):
            fits = is_password if sign in "|\t" else is_clear_password
            if fits(value) if kind == "password" else is_random(value):
                start = at + cell.index(value)
                yield SecretSpan(start, start + len(value), RANK, kind)
        at += len(cell) + 1
