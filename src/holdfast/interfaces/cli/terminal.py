"""Formats text for a terminal: removes control characters, aligns tables, and colours only on a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from unicodedata import combining, east_asian_width

from holdfast.core.citation import one_line, plain, unframed
from holdfast.core.ids import short
from holdfast.interfaces.language import number, translatable, translate

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36", "match": "1;4"}
_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_ID = r"\b(?:mem|fact|ref|ep)_[0-9a-hjkmnp-tv-z]{26}\b"
_NARROWEST, _USUAL = 20, 80
_LEAST = 32  # Columns for the second of two columns; with fewer, it is printed below the first.
_UNITS = (translatable("{n} kB"), translatable("{n} MB"), translatable("{n} GB"))


def clean(text: object) -> str:
    """Returns text on one line that cannot move the cursor or fake other output; an agent may read it in its shell."""
    return one_line(str(text))


def clean_name(name: str) -> str:
    """Returns a name of the project's code on one line, without control characters but else as it is written."""
    return " ".join(plain(name).split())


def clean_lines(text: str) -> str:
    """Does line by line what `clean` does for one line; keeps the indentation."""
    return "\n".join(line.expandtabs(4) for line in unframed(text).splitlines())


def short_ids(text: str) -> str:
    """Shortens the ids in a text to their last characters."""
    return re.sub(_ID, lambda found: short(found.group()), text)


def is_terminal() -> bool:
    return sys.stdout.isatty()


def paint(text: str, style: str) -> str:
    """Colours a text on a terminal; respects NO_COLOR."""
    wanted = is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if wanted and text and style else text


def screen_width() -> int | None:
    """Returns the width of the terminal or of COLUMNS; None if the output is not a terminal."""
    if os.environ.get("COLUMNS", "").isdigit():
        return max(_NARROWEST, int(os.environ["COLUMNS"]))
    if not is_terminal():
        return None
    columns = os.get_terminal_size(sys.stdout.fileno()).columns
    return max(_NARROWEST, columns or _USUAL)  # Some terminals report a width of 0.


def wrap(text: str, indent: int = 0) -> str:
    """Breaks every line of a text between words so that it fits on the screen; continued lines are indented."""
    columns = screen_width()
    if columns is None:
        return text
    return "\n".join(("\n" + " " * indent).join(broken(line, columns - indent)) for line in text.splitlines())


def fold(text: str) -> str:
    """Breaks lines that are too long for the screen between words; not commands, which people copy.

    The continuation of an indented line is indented further.
    """
    columns = screen_width()
    return text if columns is None else "\n".join(_folded(line, columns) for line in text.split("\n"))


def _folded(line: str, columns: int) -> str:
    plain = _COLOUR.sub("", line)
    if width(plain) <= columns or plain.lstrip().startswith("holdfast "):
        return line
    indent = len(plain) - len(plain.lstrip(" "))
    lines = [" " * indent]
    for word in line.strip().split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1].strip() else lines[-1] + word
        if width(longer) > columns and lines[-1].strip():
            lines.append(" " * (indent + 4 if indent else 0) + word)
        else:
            lines[-1] = longer
    return "\n".join(line.rstrip() for line in lines)


def broken(text: str, available: int | None) -> list[str]:
    """Breaks a text between words into lines of at most this many columns; only a word that is longer is split."""
    if available is None or width(text) <= available:
        return [text]
    available = max(available, _NARROWEST // 2)
    lines = [text[: len(text) - len(text.lstrip())]]
    for word in filter(None, text.split(" ")):
        joined = lines[-1] + word if not lines[-1].strip() else f"{lines[-1]} {word}"
        if width(joined) <= available:
            lines[-1] = joined
            continue
        lines += [""] if lines[-1].strip() else []
        *full, lines[-1] = _pieces(lines[-1] + word, available)
        lines[-1:-1] = full
    return lines


def fit(text: str, available: int | None) -> str:
    """Shortens a text to a number of columns, between words if that costs little."""
    if available is None or width(text) <= available:
        return text
    kept = _pieces(text, max(available - 1, 1))[0]
    before = kept.rpartition(" ")[0]
    inside_word = len(kept) < len(text) and text[len(kept)] != " "
    return (before if inside_word and width(before) > available // 2 else kept).rstrip() + "…"


def width(text: str) -> int:
    """Returns the number of columns that a text takes."""
    text = _COLOUR.sub("", text) if "\x1b" in text else text
    return sum(0 if combining(ch) else 2 if east_asian_width(ch) in "WF" else 1 for ch in text)


def table(
    rows: Sequence[Sequence[str]],
    styles: Sequence[str] = (),
    right: Sequence[int] = (),
    indent: int = 2,
    whole: bool = False,
) -> str:
    """Aligns rows in columns, those in `right` to the right.

    The last column is shortened to the screen or, if the `whole` text matters, continued on further lines. Where a
    long first column leaves the second no room, it is printed below.
    """
    count = max((len(row) for row in rows), default=0)
    widths = [max(width(row[at]) for row in rows if at < len(row)) for at in range(count)]
    styles = (*styles, *[""] * count)
    available = screen_width()
    left = available - indent - sum(widths[:-1]) - 2 * (count - 1) if available else None
    if count == 2 and left and left < _LEAST and not whole and any(width(row[-1]) > left for row in rows):
        return "\n".join(_stacked(row, styles, indent) for row in rows)
    shown = _continued if whole else _shortened
    lines = [line for row in rows for line in shown(row, count, left and max(left, 8))]
    return "\n".join(_row(line, widths, styles, right, indent) for line in lines)


def section(title: str, body: str) -> str:
    """Returns a title and the text below it."""
    return paint(title, "bold") + "\n" + body


def age(at: datetime) -> str:
    """Returns the age in short form, or the date if it is more than 60 days ago."""
    seconds = max(0.0, (datetime.now(UTC) - at).total_seconds())
    if seconds < 60:
        return translate("just now")
    if seconds < 3600:
        return translate("{n} min ago", n=int(seconds / 60))
    if seconds < 86_400:
        return translate("{n} h ago", n=int(seconds / 3600))
    if seconds < 60 * 86_400:
        return translate("{n} d ago", n=int(seconds / 86_400))
    return at.astimezone().date().isoformat()


def moment(at: datetime) -> str:
    """Returns local date and time."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M")


def size(count: int) -> str:
    """Returns a number of bytes in a readable unit."""
    if count < 1000:
        return translate("{n} bytes", n=count)
    power = next((power for power in (1, 2) if count < 1000 ** (power + 1)), 3)
    return translate(_UNITS[power - 1], n=number(count / 1000**power, 1))


def _pieces(text: str, available: int) -> list[str]:
    """Splits a text into parts of at most that many columns."""
    pieces, used = [""], 0
    for ch in text:
        used += width(ch)
        if used > available and pieces[-1]:
            pieces.append("")
            used = width(ch)
        pieces[-1] += ch
    return pieces


def _shortened(row: Sequence[str], count: int, left: int | None) -> list[Sequence[str]]:
    return [(*row[:-1], fit(row[-1], left)) if len(row) == count else row]


def _continued(row: Sequence[str], count: int, left: int | None) -> list[Sequence[str]]:
    if len(row) < count:
        return [row]
    first, *others = broken(row[-1], left)
    return [(*row[:-1], first), *((*[""] * (count - 1), other) for other in others)]


def _stacked(row: Sequence[str], styles: Sequence[str], indent: int) -> str:
    """A row of two cells, the second below the first."""
    columns, under = screen_width(), " " * (indent + 4)
    below = broken(row[1], columns - len(under) if columns else None) if len(row) > 1 and row[1] else []
    return "\n".join((" " * indent + paint(row[0], styles[0]), *(under + paint(line, styles[1]) for line in below)))


def _row(row: Sequence[str], widths: Sequence[int], styles: Sequence[str], right: Sequence[int], indent: int) -> str:
    cells = []
    for at, cell in enumerate(row):
        gap = " " * (widths[at] - width(cell)) if at < len(widths) - 1 or at in right else ""
        painted = paint(cell, styles[at])
        cells.append(gap + painted if at in right else painted + gap)
    return (" " * indent + "  ".join(cells)).rstrip()
