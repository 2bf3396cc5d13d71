"""Replaces secrets in a text by typed placeholders such as `[secret:jwt]`, before anything is stored.

This runs for every message, often in a new process: nothing is compiled at import, and the pattern of a rule is
compiled only when the text contains one of its literal anchors. Patterns repeat within bounds or possessively, so the
time is linear in the length of any text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import attrgetter

from holdfast.intake.secrets.assignments import find_assigned
from holdfast.intake.secrets.decoded import decode
from holdfast.intake.secrets.rule_anchors import find_anchors
from holdfast.intake.secrets.rule_tables import find_in_columns
from holdfast.intake.secrets.secret_names import STEMS
from holdfast.intake.secrets.secret_patterns import SecretSpan
from holdfast.intake.secrets.shapes import find_shaped

TYPE_CHECKING = False  # Not from typing: every hook scans what it writes, and that import takes as long as all this.
if TYPE_CHECKING:
    from holdfast.core.admission import Redaction


def scan(text: str) -> tuple[str, tuple[Redaction, ...]]:
    """Returns the text with each secret replaced by a placeholder, and the redactions.

    `start` and `length` of a redaction are the place of the secret in the given text. Scanning the result again finds
    nothing: a replacement can uncover another secret beside it, so the result is scanned until nothing is found. The
    whole text is replaced if that takes too many passes.
    """
    spans: list[SecretSpan] = []
    redacted = text
    for _ in range(_PASSES):
        found = _find(redacted)
        if not found:
            break
        spans = _merged_overlaps(spans + _in_original(found, spans))
        redacted = _replaced(text, spans)
    else:
        if found := _find(redacted):
            spans = [SecretSpan(0, len(text), found[0].rank, found[0].kind)]
            redacted = _replaced(text, spans)
    return redacted, _redactions(spans)


def redact(text: str) -> str:
    """Returns the text with each secret replaced by a placeholder."""
    return scan(text)[0]


# Bounded: a hostile text could uncover one secret per pass, which would take quadratic time. In nearly all real texts
# the first pass finds every secret and the second finds nothing.
_PASSES = 8


def _find(text: str) -> list[SecretSpan]:
    found = _find_plain(text)
    decoded = decode(text)
    if decoded:
        found += [decoded.in_original(span) for span in _find_plain(decoded.text)]
    return _merged_overlaps(found)


def _find_plain(text: str) -> list[SecretSpan]:
    lowered = _lowered(text)
    anchors = find_anchors(lowered)
    if not anchors:
        return []
    columns = find_in_columns(text, lowered) if "\n" in text and not anchors.isdisjoint(STEMS) else ()
    return [*find_shaped(text, anchors), *find_assigned(text, lowered, anchors), *columns]


def _lowered(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    # A few letters (İ) become longer in lower case, and positions in both texts must agree.
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def _merged_overlaps(found: list[SecretSpan]) -> list[SecretSpan]:
    """Merges overlapping spans into one that covers them all and has the most specific kind."""
    merged: list[SecretSpan] = []
    for span in sorted(found, key=attrgetter("start", "end", "rank", "kind")):
        if merged and span.start < merged[-1].end:
            last = merged.pop()
            best = min(last, span, key=lambda span: (span.rank, span.start - span.end))
            span = SecretSpan(last.start, max(last.end, span.end), best.rank, best.kind)
        merged.append(span)
    return merged


def _in_original(found: list[SecretSpan], replaced: list[SecretSpan]) -> list[SecretSpan]:
    """Maps spans of a text with replacements to the original text.

    A span that begins or ends within a placeholder covers the whole secret behind the placeholder.
    """
    starts, ends, shift = [], [], 0
    for earlier in replaced:
        starts.append(earlier.start + shift)
        ends.append(starts[-1] + len(earlier.placeholder))
        shift = ends[-1] - earlier.end
    spans = []
    for span in found:
        start, end = span.start, span.end
        before = bisect_right(starts, start) - 1
        if before >= 0:
            earlier = replaced[before]
            start = earlier.start if start < ends[before] else start - ends[before] + earlier.end
        before = bisect_left(starts, end) - 1
        if before >= 0:
            end = replaced[before].end + max(0, end - ends[before])
        spans.append(SecretSpan(start, end, span.rank, span.kind))
    return spans


def _replaced(text: str, spans: list[SecretSpan]) -> str:
    segments, at = [], 0
    for span in spans:
        segments += [text[at : span.start], span.placeholder]
        at = span.end
    return "".join([*segments, text[at:]])


def _redactions(spans: list[SecretSpan]) -> tuple[Redaction, ...]:
    if not spans:
        return ()
    from holdfast.core.admission import Redaction

    return tuple(Redaction(s.kind, s.placeholder, s.start, s.end - s.start) for s in spans)
