"""Folds any text into one line of markdown, and unfolds it without loss.

Text may be hostile: folded, it cannot act as a heading, a comment, an anchor, HTML or a second line, and contains
nothing invisible. Only harmful characters are replaced, by HTML entities, which viewers display correctly.
"""

from __future__ import annotations

import re

# Control, zero-width, direction and tag characters: invisible to people, but interpreted by terminals and models.
# Not the joiners (200c, 200d), which scripts and emoji need.
_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
)
_HARMFUL = re.compile(
    rf"&(?=(?:amp|lt|#x[0-9a-fA-F]{{1,6}});)|<(?=[!?]|[bB][rR]\s*/?>)|<(?=[/A-Za-z])|\n|[{_UNSEEN}\ud800-\udfff]"
)
_FOLDED = re.compile(r"<br\s*/?>|&(?:amp|lt|#x([0-9a-fA-F]{1,6}));", re.IGNORECASE)
# Two signs of a rule are enough: the bullet before them is the third.
_OPENING = re.compile(r"[#>]|[-+*](?=\s|$)|```|~~~|\[[^\]\n]*\]:|(?:[-*_=]\s*){2,}$")
_ALWAYS = re.compile(r"<(?:[!?]|br\s*/?>)", re.IGNORECASE)
_CODE = re.compile(r"`[^`\n]*`")


def fold(text: str) -> str:
    """Folds a text into one line; `unfold` returns exactly the same text."""
    body = text.strip()
    if not body:
        return _entities(text)
    begin = text.index(body)
    code = _code_spans(body)
    folded = _HARMFUL.sub(lambda found: _harmless(found, body, code), body)
    if _OPENING.match(body):
        folded = _entity(body[0]) + folded[1:]
    return _entities(text[:begin]) + folded + _entities(text[begin + len(body) :])


def unfold(line: str) -> str:
    """Unfolds a line; text that a person typed without folding stays as typed."""
    return _FOLDED.sub(_unfolded, line)


def fold_lines(text: str) -> str:
    """Folds each line of a text and keeps the lines, for files that are never parsed back."""
    return "\n".join(fold(line.strip()) for line in text.replace("\r\n", "\n").split("\n"))


def _harmless(found: re.Match[str], text: str, code: list[tuple[int, int]]) -> str:
    character = found.group()
    if character == "&":
        return "&amp;"
    if character == "\n":
        return "<br>"
    if character != "<":
        return _entity(character)
    at = found.start()
    # Inside inline code a tag has no effect, and an entity would be displayed literally.
    shown = any(begin < at < end for begin, end in code) and not _ALWAYS.match(text, at)
    return "<" if shown else "&lt;"


def _code_spans(text: str) -> list[tuple[int, int]]:
    """The spans of inline code between single backticks; none if viewers might disagree about them."""
    if "``" in text or "\\`" in text or text.count("`") % 2:
        return []
    return [found.span() for found in _CODE.finditer(text)]


def _entities(text: str) -> str:
    return "".join(map(_entity, text))


def _entity(character: str) -> str:
    return f"&#x{ord(character):x};"


def _unfolded(found: re.Match[str]) -> str:
    whole, code = found.group().lower(), found.group(1)
    if code is None:
        return {"&amp;": "&", "&lt;": "<"}.get(whole, "\n")
    point = int(code, 16)
    readable = point < 0xD800 or 0xDFFF < point <= 0x10FFFF
    return chr(point) if readable else found.group()
