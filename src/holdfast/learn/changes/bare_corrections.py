"""Completes corrections that name only a new value, `no, Thursday`, with the statement or memory that they correct."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.statements.alignment import Unit, units_of
from holdfast.statements.corrections import bare_value, outdated
from holdfast.statements.parsing import read

if TYPE_CHECKING:
    from holdfast.core.memory import Memory

# `not 20, 25`, `pas 20 mais 25, pardon`, and `Tuesday, actually`.
_COURTESY = r"(?:,? (?:sorry|please|thanks|my bad|désolée?|pardon|merci|stp|s'il te plaît))?"
_NOT_BUT = re.compile(
    rf"(?:not|pas) (?P<old>[^,;.!?]{{1,30}}?)(?:,? but|,? mais|[,;]| -) (?P<new>[^,;.!?]{{1,30}}?){_COURTESY}[.!]?$",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(
    r"(?P<new>[^,;.!?]{1,30}?),? (?:actually|rather|instead|en fait|plutôt|finalement)[.!]?$", re.IGNORECASE
)
# `not FIFO` says what does not hold, and not what does.
_DENIES = re.compile(r"(?:not|pas)\b", re.IGNORECASE)
_VALUES = ("amount", "time")


@frozen
class BareCorrection:
    """The new value, the value it denies if it names one, and the words just before, which say what it is about.

    `phrase` is the new value in the words that take the place of the denied ones: `port 9443` for `port 8443`.
    """

    value: Unit
    denied: str = ""
    about: str = ""
    phrase: str = ""

    def applied_to(self, text: str, known: str = "") -> str:
        """The text with the new value in the place of the old one; empty if it has no such value.

        `known` is the old value, if the words before the correction named it.
        """
        old = self._old(text) or known
        new = self.phrase if self.phrase and old == self.denied else self.value.text
        corrected = _substituted(text, old, new) if old else text
        return "" if corrected == text else corrected

    def antecedents(self, memories: Sequence[Memory]) -> tuple[Memory, ...]:
        """The memories that it may correct: those that share most with the words before it, several if that is unclear.

        If those words have a value of this kind, a memory must have the same one.
        """
        keys = {unit.concept: unit for unit in units_of(read(self.about)) if unit.kind != "speaker"}
        said = outdated(self.value, read(self.about))
        shared = {memory: self._shared(memory.content, keys, said) for memory in memories}
        most = max(shared.values(), default=0)
        return tuple(memory for memory, count in shared.items() if most and count == most)

    @property
    def names_old(self) -> bool:
        """Do it or the words before it name the value that it replaces?"""
        return bool(self.denied) or bool(outdated(self.value, read(self.about)))

    def _shared(self, text: str, keys: dict[str, Unit], said: str) -> int:
        old = self._old(text)
        if not old or (said and _key(said) != _key(old)):
            return 0
        units = [unit for unit in units_of(read(text)) if unit.concept in keys]
        subject = [unit for unit in units if unit.text != old and unit.family not in _VALUES]
        # A word or a name that is replaced says itself what is meant; a number does not.
        own = bool(said) and self.value.family not in _VALUES
        return len(subject) + own

    def _old(self, text: str) -> str:
        if self.denied:
            return self.denied if _found(self.denied, text) else ""
        return outdated(self.value, read(text))


def bare_correction(text: str, corrects: bool) -> BareCorrection | None:
    """The correction in a sentence without its lead-in: `Thursday`, `not 20, 25`; None for other sentences."""
    if pair := _NOT_BUT.match(text):
        value = bare_value(pair["new"], True)
        return BareCorrection(value, pair["old"].strip(), phrase=pair["new"].strip()) if value else None
    if _DENIES.match(text):
        return None
    if later := _AFTERWARDS.match(text):
        value = bare_value(later["new"], True)
        return BareCorrection(value) if value and value.family in _VALUES else None
    value = bare_value(text, corrects)
    return BareCorrection(value) if value else None


def _key(text: str) -> str:
    """What a value says, the same for one day and for every such day."""
    units = units_of(read(text))
    return units[0].key if units else text.lower()


def _found(word: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)


def _substituted(text: str, old: str, new: str) -> str:
    place = _found(old, text)
    if place is None:
        return text
    if new[0].isupper() and not old[0].isupper():
        new = new[0].lower() + new[1:]
    if old.lower().endswith("days") and new.lower().endswith("day"):
        new += "s"
    return text[: place.start()] + new + text[place.end() :]
