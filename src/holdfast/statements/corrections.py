"""Recognises bare corrections: `no, Thursday`, `make that 20 seconds`, `correction: 14 days`."""

from __future__ import annotations

import re

from holdfast.core.frozen import frozen
from holdfast.statements.alignment import Unit, units_of
from holdfast.statements.oppositions import are_opposed
from holdfast.statements.parsing import Statement, read

# A sentence with more units or words before its first punctuation mark is no bare correction.
_MAX_UNITS, _MAX_WORDS = 3, 6
_FILLERS = r"hm+|ah|oh|ok|okay|well|btw|by the way|and|so|right(?=\s*[,.:;!–—-])|ah oui|bon"
# Words that lead to a correction only before a punctuation mark or a bare value: not in "No merges on Fridays", "Edit
# the file".
_BEFORE_MARK = (
    r"(?:no+|non|wrong|edit|correction|erreur|rectification)"
    r"(?=\s*(?:[,.:;!–—-]|$)|\s+(?:\d|(?:wait|sorry|actually|it|it's|that's|we|i|make|c'est|on|je|attends|en fait|"
    r"mon|tues|wednes|thurs|fri|satur|sun|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?:day)?s?\b))"
)
_CORRECTIONS = (
    rf"{_BEFORE_MARK}|nope|wait|hold on|sorry|oops|actually|change of plans?|in fact|en fait|pardon|attends|"
    r"finalement|my mistake|my bad|i was wrong|i made a mistake|i misspoke|i take (?:that|it) back|not quite|"
    r"that's (?:outdated|wrong|not right)|scratch that|strike that|on second thoughts?|on reflection|"
    r"let me correct (?:that|myself)|i (?:have )?changed my mind|change of heart|je me suis trompée?|"
    r"réflexion faite|tout compte fait|j'ai changé d'avis|au temps pour moi|autant pour moi|"
    r"pas tout à fait"
)
_LEAD_IN = re.compile(rf"(?:(?:{_CORRECTIONS}|{_FILLERS})\b[\s,.:;!–—-]*)+", re.IGNORECASE)
_CORRECTS = re.compile(rf"\b(?:{_CORRECTIONS})\b", re.IGNORECASE)
_MAKE_THAT = re.compile(
    r"(?:please )?(?:let's )?(?:make (?:that|it)|(?:change|set) (?:that|it) to|i meant?|it's|it is|rather|better|"
    r"(?:that )?should be|mets|mettez|c'est|ce sera|plutôt)\s+(?:(?:rather|plutôt)\s+)?",
    re.IGNORECASE,
)
# A number may name something in one sentence and count something in another.
_NUMBERS = frozenset(("count", "number", "id"))
_VERBS = frozenset("is are was were be has have do does did est sont a ont".split())


@frozen
class LeadIn:
    """The beginning of a sentence, without its content: `No,` or `by the way,`. `rest` is what follows.

    `corrects` is set if it says that something said before was wrong.
    """

    rest: str
    corrects: bool


def lead_in(text: str) -> LeadIn:
    """Separates the words that lead to a statement from the statement."""
    lead = _LEAD_IN.match(text)
    if lead is None:
        return LeadIn(text, False)
    correction = _CORRECTS.search(text)
    return LeadIn(text[lead.end() :], correction is not None and correction.start() < lead.end())


def bare_value(text: str, corrects: bool) -> Unit | None:
    """The value of a bare correction, such as `Thursday` or `make that 20 seconds, please`; None for other sentences.

    `corrects` is set if words before it say that it is a correction.
    """
    make = _MAKE_THAT.match(text)
    if not corrects and make is None:
        return None
    statement = read(text[make.end() :] if make else text)
    end = next((n for n, token in enumerate(statement.tokens) if token.mark), len(statement.tokens))
    units = [unit for unit in units_of(statement) if unit.start < end]
    whole = any(unit.kind == "speaker" for unit in units) or any(t.word in _VERBS for t in statement.tokens[:end])
    if whole or end > _MAX_WORDS or not 0 < len(units) <= _MAX_UNITS:
        return None
    valued = [unit for unit in units if unit.family in ("amount", "time")]
    return valued[0] if valued else units[0] if len(units) == 1 else None


def outdated(value: Unit, statement: Statement) -> str:
    """The text of the unit of a statement that a bare value replaces; empty if there is none."""
    units = [unit for unit in units_of(statement) if unit.key != value.key]
    if value.family in ("amount", "time"):
        fitting = [unit for unit in units if unit.kind == value.kind or {unit.kind, value.kind} <= _NUMBERS]
    else:
        fitting = [unit for unit in units if are_opposed(unit.key, value.key)]
        after = (unit for unit in units if unit.kind == value.kind == "name" and unit.start > statement.verb)
        fitting = fitting or list(after)
    return fitting[-1].text if fitting else ""


def corrects(new: str, old: str) -> bool:
    """Is a text a bare correction of a value of another?"""
    lead = lead_in(new)
    value = bare_value(lead.rest, lead.corrects)
    return value is not None and bool(outdated(value, read(old)))
