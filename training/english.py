"""Forms of English verbs, expressions of time, and the lists of words that the rules for questions use."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

WORDS: dict[str, Any] = json.loads((Path(__file__).parent / "english.json").read_text())
FORMS: dict[str, tuple[str, ...]] = {row.split()[0]: tuple(row.split()) for row in WORDS["irregular verbs"]}
BASES = frozenset(FORMS) | frozenset(WORDS["regular verbs"])
_DOUBLED = frozenset(WORDS["verbs that double their last letter"])


def either(key: str) -> str:
    """The words of a list as alternatives of a regular expression; a list may hold expressions."""
    return "(?:" + "|".join(WORDS[key]) + ")"


def past(base: str) -> str:
    return FORMS[base][1] if base in FORMS else _with_ed(base)


def third(base: str) -> str:
    """The form after he or she."""
    if base in {"be", "have"}:
        return {"be": "is", "have": "has"}[base]
    if re.search(r"(?:s|x|z|ch|sh|o)$", base):
        return base + "es"
    return re.sub(r"([^aeiou])y$", r"\1ie", base) + "s"


def gerund(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "ye")) and base != "be":
        return base[:-1] + "ing"
    return base + (base[-1] if base in _DOUBLED else "") + "ing"


def _with_ed(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if re.search(r"[^aeiou]y$", base):
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLED else "") + "ed"


_ALIKE = {"be", "let", "set", "put", "cut", "hit"}  # the past looks like the present, or has two forms
PASTS = {past(base): base for base in sorted(BASES - _ALIKE)}
PARTICIPLES = {(FORMS[base][2] if base in FORMS else _with_ed(base)): base for base in sorted(BASES)}
GERUNDS = {gerund(base): base for base in sorted(BASES)}
THIRDS = {third(base): base for base in sorted(BASES)}

NUMBERS = r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|\d+"
_UNITS = "minutes?|hours?|days?|weeks?|months?|years?|semesters?|decades?|nights?"
_ABOUT = "(?:(?:about|almost|over|around|nearly|like|like a|the last|the past) )?"
_AMOUNT = f"{_ABOUT}(?:a|an|one|a few|a couple|a couple of|several|many|{NUMBERS}|half an?)"
SPAN = (
    f"(?:{_AMOUNT} (?:{_UNITS})(?: (?:now|or so))?|(?:a )?(?:long|while|long time)(?: now)?|{_UNITS}"
    f"|most of my life|my whole life)"
)
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_PARTS = "night|week|weekend|month|year|summer|winter|fall|spring|semester|morning|afternoon|evening|Christmas"
TIME = (
    f"(?:(?:just )?(?:yesterday|today|tonight|tomorrow|recently)(?: (?:morning|afternoon|evening|night))?"
    f"|(?:last|this|next|this past|this coming) (?:{_PARTS}|{_DAYS}|{_MONTHS})"
    f"|(?:{_AMOUNT}) (?:{_UNITS}) ago|a (?:long time|while) ago|the other (?:day|night|week)"
    f"|in (?:(?:early|late|mid) )?(?:{_MONTHS})(?: \\d{{4}})?|in (?:19|20)\\d\\d"
    f"|on (?:{_DAYS})(?: (?:morning|night|evening))?|in (?:{_AMOUNT}) (?:{_UNITS})"
    f"|in the (?:summer|winter|fall|spring|morning|evening)|in (?:high|middle|elementary|grad) school|in college"
    f"|(?:for|over) (?:Christmas|Thanksgiving|the holidays|the summer|spring break|the weekend|the break)"
    f"|when I was (?:a (?:kid|child|teenager|baby|student)|little|young|younger|growing up|in [a-z ]{{3,20}}|{NUMBERS})"
    f"|after (?:work|school|graduation|college|high school)|as a (?:kid|child|teenager))"
)
