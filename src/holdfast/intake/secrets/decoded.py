"""Decodes texts in which a secret can hide: `&quot;`, `%3D`, `\\u003d`, strings in two parts, invisible characters."""

from __future__ import annotations

from bisect import bisect_right

from holdfast.intake.secrets.secret_patterns import SecretSpan, compiled

# Texts without any of these are not decoded; the pattern is then not needed.
_MARKS = ("%3", "&quot;", "&#3", "&amp;", "&apos;", "\\u00", "\\/", '"\n', "'\n", '" +', "' +", "\\\n")
_CODED = (
    r"[\u00ad\u200b-\u200f\u2060\ufeff]|[\uff01-\uff5e]|&(?:quot|apos|amp|#3[49]);|%[2-7][0-9a-f]|\\u00[2-7][0-9a-f]|\\/"
    # Two parts of one string: `"abc" +\n "def"`, and a line continued with a backslash.
    r"|(?<=[\w+/=-])([\"'])[ \t]{0,4}[+.\\]?[ \t]{0,4}(?:\r?\n[ \t]{0,40})?[+.]?[ \t]{0,4}\1(?=[\w+/=-])"
    r"|(?<=\w)\\\n(?=\w)"
)
_ENTITIES = {"&quot;": '"', "&apos;": "'", "&amp;": "&", "&#34;": '"', "&#39;": "'", "\\/": "/"}


class Decoded:
    """A decoded text and the places of its parts in the original."""

    def __init__(self, text: str, starts: list[int], origins: list[int], ends: list[int]) -> None:
        self.text, self._starts, self._origins, self._ends = text, starts, origins, ends

    def in_original(self, span: SecretSpan) -> SecretSpan:
        """The span in the original text."""
        return SecretSpan(self._at(span.start), self._at(span.end - 1, end=True), span.rank, span.kind)

    def _at(self, place: int, end: bool = False) -> int:
        part = bisect_right(self._starts, place) - 1
        origin, until = self._origins[part], self._ends[part]
        following = self._starts[part + 1] if part + 1 < len(self._starts) else len(self.text)
        if following - self._starts[part] != until - origin:
            return until if end else origin
        return origin + place - self._starts[part] + end


def decode(text: str) -> Decoded | None:
    """The decoded text, or None if nothing in it is encoded."""
    if text.isascii() and not any(mark in text for mark in _MARKS):
        return None
    segments: list[str] = []
    starts, origins, ends = [], [], []
    at = length = 0
    for match in compiled(rf"(?i:{_CODED})").finditer(text):
        for segment, origin, until in ((text[at : match.start()], at, match.start()), (_plain(match), *match.span())):
            if segment:
                segments.append(segment)
                starts.append(length)
                origins.append(origin)
                ends.append(until)
                length += len(segment)
        at = match.end()
    if not origins and at == 0:
        return None
    segments.append(text[at:])
    return Decoded("".join(segments), [*starts, length], [*origins, at], [*ends, len(text)])


def _plain(match: object) -> str:
    coded: str = match[0]  # type: ignore[index]
    low = coded.lower()
    if low in _ENTITIES:
        return _ENTITIES[low]
    if low.startswith(("%", "\\u")):
        return chr(int(coded[-2:], 16))
    if "\uff01" <= coded[0] <= "\uff5e":
        return chr(ord(coded[0]) - 0xFEE0)
    return ""
