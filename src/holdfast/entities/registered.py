"""Finds registered names in a text: in any case, at any position, with or without accents, hyphens and possessives.

The words of a text are looked up once in the registry, so the number of registered names hardly matters. Names that are
also common words count only where they are used as names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.entity import LABELS, Mention, RegisteredName
from holdfast.core.frozen import frozen
from holdfast.entities.first_names import PLACE_WORDS, TITLES, ambiguous_names, first_names
from holdfast.entities.name_or_word import is_name
from holdfast.entities.text_case import TextCase
from holdfast.text.calendar_words import FRENCH_WEEKDAYS, MONTHS, WEEKDAYS
from holdfast.text.names import distinct_words, name_tokens, name_words
from holdfast.text.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from holdfast.store.writing.entities import EntityReading

# The beginning of a text that is searched.
LONGEST = 100_000
_CONFIDENCE = 0.95
_SAINTS = frozenset("san saint st santa sainte sao".split())
# After these, the name of a person is that of a street, a lake, a storm or somebody else.
_OTHERS = frozenset(
    "rue avenue boulevard quai allee impasse lycee mont lac lake mount hurricane storm another autre".split()
)
# Words that begin no name of one word. A longer name is also looked up by its last part.
_NEVER_LOOKED_UP = STOP_WORDS - {"will"}
# The length of initials, and words after which capitals are an abbreviation.
_INITIALS = 3
_ARTICLES = frozenset("the a an this that le la les un une des ce du au".split())
_IDENTIFIER_BEFORE, _IDENTIFIER_AFTER = "/\\_=$.", "/\\_@="


class _Form(NamedTuple):
    """The words of a registered name: all of them, and how many begin with the given name or end with the family's."""

    known: RegisteredName
    words: tuple[str, ...]
    given: int
    family: int


@frozen
class RegisteredNames:
    """Finds the registered names of one project in texts."""

    entities: EntityReading
    project: str

    def find(self, text: str) -> list[Mention]:
        """Returns the mentions of registered names, in order. Reads the registry once."""
        words = distinct_words(text[:LONGEST]) - _NEVER_LOOKED_UP
        known = self.entities.registered(self.project, words) if words else ()
        return find_registered(text, known) if known else []


def find_registered(
    text: str, known: Collection[RegisteredName], judge: Callable[[TextCase, int, int, bool], bool] = is_name
) -> list[Mention]:
    """Returns the mentions of these names in a text. Each carries the entity's own name, not the words of the text.

    `judge` says whether a single word is used as a name, of a person or of something else.
    """
    forms = [_form(name) for name in known if name.is_matched]
    if not any(form.words for form in forms):
        return []
    text = text[:LONGEST]
    search = _Search(TextCase(text, list(name_tokens(text))), forms, judge)
    return list(search.mentions())


@lru_cache(maxsize=1 << 12)
def _form(known: RegisteredName) -> _Form:
    words, parts = name_words(known.name), known.name.split()
    is_full = known.type == "person" and len(parts) > 1
    given = len(name_words(parts[0])) if is_full else 0
    return _Form(known, words, given, len(name_words(parts[-1])) if is_full else 0)


def _precedence(form: _Form) -> tuple[int, bool, bool, bool]:
    """Longer names come first, then those given by hand, people, and own names."""
    return -len(form.words), not form.known.by_hand, form.known.type != "person", form.known.alias


def _only_person(forms: Sequence[_Form]) -> _Form | None:
    """The one person that all these forms name; of several people, the only one that was named by hand."""
    by_hand = [form for form in forms if form.known.by_hand]
    for group in (forms, by_hand):
        if len({form.known.entity for form in group}) == 1:
            return group[0]
    return None


class _Search:
    """The search of one text."""

    def __init__(
        self, case: TextCase, forms: Sequence[_Form], judge: Callable[[TextCase, int, int, bool], bool]
    ) -> None:
        self.case = case
        self._judge = judge
        self._by_first: dict[str, list[_Form]] = {}
        self._by_family: dict[str, list[_Form]] = {}
        for form in sorted(forms, key=_precedence):
            if form.words:
                self._by_first.setdefault(form.words[0], []).append(form)
            if form.family:
                self._by_family.setdefault(form.words[-form.family], []).append(form)

    def mentions(self) -> Iterator[Mention]:
        place = 0
        while place < len(self.case.tokens):
            word = self.case.tokens[place].word
            found = None
            if word in self._by_first or word in self._by_family:
                found = self._found(place)
            if found is None:
                place += 1
                continue
            form, length = found
            for known in dict.fromkeys((form.known, *self._same_person(form, place, length))):
                yield self._mention(known, place, place + length - 1)
            place += length

    def _found(self, place: int) -> tuple[_Form, int] | None:
        """The name that begins here. A person who was named by hand comes before a word that was only recognised."""
        whole = self._whole(place)
        if whole is not None and not whole[0].known.by_hand and self.case.word(place) in TITLES:
            return None  # the family name follows
        if whole is not None and (whole[0].known.by_hand or whole[0].known.type == "person" or whole[1] > 1):
            return whole
        person = self._given(place) or self._family(place)
        return person if person is not None and (whole is None or person[0].known.by_hand) else whole

    def _whole(self, place: int) -> tuple[_Form, int] | None:
        """The longest name that begins here."""
        for form in self._by_first.get(self.case.word(place), ()):
            length = len(form.words)
            if self._has(place, form.words) and self._is_used(form, place, place + length - 1):
                return form, length
        return None

    def _same_person(self, form: _Form, place: int, length: int) -> Iterator[RegisteredName]:
        """Who else is meant, because a first or last name alone and a full name are two entities.

        For a name of one word: the only person with that first or last name. For a full name: the first name alone.
        """
        if form.known.type != "person":
            return
        if len(form.words) == length and not form.given:
            family = None if form.known.by_hand else self._family(place)
            yield from (other[0].known for other in (self._given(place), family) if other is not None)
        elif len(form.words) == length and form.words[-1] not in PLACE_WORDS:
            given = form.words[: form.given]
            near = [f for f in self._by_first[given[0]] if f.known.type == "person"]
            only = _only_person([f for f in near if f.given and f.words[: f.given] == given])
            if only is not None and only.known.entity == form.known.entity:
                yield from (f.known for f in near if f.words == given)

    def _given(self, place: int) -> tuple[_Form, int] | None:
        """The given name of exactly one registered person, unless another family name follows."""
        forms = [f for f in self._by_first.get(self.case.word(place), ()) if f.given]
        forms = [form for form in forms if self._has(place, form.words[: form.given])]
        form = _only_person(forms)
        if form is None:
            return None
        last = place + form.given - 1
        if self._has_initial(form, last):
            return form, form.given
        if self._other_family(form, last) or not self._is_used(form, place, last):
            return None
        return form, form.given

    def _family(self, place: int) -> tuple[_Form, int] | None:
        """The family name of exactly one registered person, after a title or an initial, or alone."""
        forms = [f for f in self._by_family.get(self.case.word(place), ()) if self._has(place, f.words[-f.family :])]
        form, before = _only_person(forms), self.case.word(place - 1)
        if form is None:
            return None
        if self._inside_identifier(place, place + form.family - 1):
            return None
        beside = bool(place) and not self.case.gap(place - 1).strip(" .\u00a0")
        if beside and (before in TITLES or (len(before) == 1 and form.words[0].startswith(before))):
            return form, form.family
        if beside and self.case.is_capitalised(place - 1):
            of_other = before in first_names() or before in ambiguous_names()
            if of_other or not (before in _BEFORE_FAMILY or before in STOP_WORDS):
                return None
        return (form, form.family) if self._is_family(place, place + form.family - 1) else None

    def _is_family(self, first: int, last: int) -> bool:
        """Is a family name alone used as a name? Another first name is followed by the family name of somebody else."""
        follows = not self.case.gap(last).strip(" \u00a0") and self.case.is_capitalised(last + 1)
        if self.case.is_capitalised(first) and (
            self._ends_other_name(first) or (follows and self._begins_family(last + 1))
        ):
            return False
        return self._judge(self.case, first, last, True)

    def _has(self, place: int, words: Sequence[str]) -> bool:
        """Are these words here, with nothing but a blank, a hyphen, an apostrophe or a full stop between them?"""
        if place + len(words) > len(self.case.tokens):
            return False
        if any(self.case.word(place + n) != word for n, word in enumerate(words)):
            return False
        return all(self.case.gap(place + n).strip(" \t\n-‐‑'’.\u00a0") == "" for n in range(len(words) - 1))

    def _is_used(self, form: _Form, first: int, last: int) -> bool:
        """Is the name used as a name here, and not as part of an identifier, another name, a place or a word?"""
        is_small = form.known.of_unknown_kind and not self.case.is_capitalised(first)
        if is_small or self._inside_identifier(first, last) or self._inside_compound(first, last):
            return False
        if last > first:
            return True
        if self._begins_place(last) or self._ends_other_name(first):
            return False
        is_person = form.known.type == "person"
        if is_person and self.case.word(first - 1) in _OTHERS and not self.case.gap(first - 1).strip():
            return False
        if self._after_at(first) or self._are_initials(form, first):
            return True
        return self._judge(self.case, first, last, is_person)

    def _begins_place(self, place: int) -> bool:
        """Does a word follow that makes it a place or a thing, as in *Victoria Station*?"""
        beside = not self.case.gap(place).strip(" ")
        return beside and self.case.word(place + 1) in PLACE_WORDS and self.case.is_capitalised(place + 1)

    def _ends_other_name(self, place: int) -> bool:
        """Is it the end of another name, as in *San Marco*, *Victor Hugo* and *Château Margaux*?"""
        if not place or self.case.gap(place - 1).strip(" \u00a0-") or not self.case.is_capitalised(place - 1):
            return False
        before = self.case.word(place - 1)
        if before in _SAINTS or "-" in self.case.gap(place - 1):
            return before in _SAINTS
        begins = self.case.starts_sentence(place - 1) and before not in first_names()
        return self.case.informative and not (begins or before in TITLES or before in STOP_WORDS)

    def _are_initials(self, form: _Form, place: int) -> bool:
        """Are these the initials that somebody goes by, written in capitals?"""
        written = self.case.written(place)
        is_short = len(form.words) == 1 and len(written) <= _INITIALS and written == form.known.name.strip()
        return is_short and written.isupper() and self.case.word(place - 1) not in _ARTICLES

    def _other_family(self, form: _Form, last: int) -> bool:
        """Does a capitalised word follow that is not this person's family name?"""
        if not self.case.informative or self.case.gap(last).strip(" \u00a0") or not self.case.is_capitalised(last + 1):
            return False
        family = form.words[-form.family]
        near = (self.case.word(last + 1), self.case.word(last + 2), self.case.word(last + 3))
        return family not in near and near[0] not in STOP_WORDS and self._begins_family(last + 1)

    def _has_initial(self, form: _Form, last: int) -> bool:
        """Do an initial and this person's family name follow, as in *Priya R. Kapoor*?"""
        return len(self.case.word(last + 1)) == 1 and self.case.word(last + 2) == form.words[-form.family]

    def _begins_family(self, place: int) -> bool:
        token = self.case.tokens[place]
        written = self.case.text[token.start : token.end]
        return len(written) > 1 and written[1:].islower() and written not in _NO_FAMILY

    def _inside_identifier(self, first: int, last: int) -> bool:
        text, start, end = self.case.text, self.case.tokens[first].start, self.case.tokens[last].end
        before, after = text[max(0, start - 2) : start], text[end : end + 2]
        if before[-1:] == "@":
            return len(before) > 1 and before[0].isalnum()
        if before[-1:] == ".":
            return len(before) > 1 and before[0].isalnum() and not text[start].isupper()
        if before[-1:] and before[-1] in _IDENTIFIER_BEFORE:
            return True
        if after[:1] == ".":
            return after[1:].islower() or after[1:].isdigit()
        return bool(after) and after[0] in _IDENTIFIER_AFTER and not after[1:2].isspace() and len(after) > 1

    def _inside_compound(self, first: int, last: int) -> bool:
        """Is it a part of a double name, as *Anne* of *Anne-Marie*?"""
        for beside, gap in ((first - 1, first - 1), (last + 1, last)):
            if 0 <= beside < len(self.case.tokens) and self.case.gap(gap) in ("-", "‐", "‑"):
                capitals = (
                    self.case.informative and self.case.is_capitalised(beside) and self.case.is_capitalised(first)
                )
                if capitals or self.case.word(beside) in first_names():
                    return True
        return False

    def _after_at(self, place: int) -> bool:
        start = self.case.tokens[place].start
        return start > 0 and self.case.text[start - 1] == "@"

    def _mention(self, known: RegisteredName, first: int, last: int) -> Mention:
        start, end = self.case.tokens[first].start, self.case.tokens[last].end
        return Mention(known.entity_name, start, end, known.label if known.label in LABELS else known.type, _CONFIDENCE)


# Words that may begin a sentence before a family name.
_BEFORE_FAMILY = frozenset(
    "ask tell ping call email invite thank thanks yesterday today tomorrow then maybe perhaps apparently hopefully"
    " hier aujourd demain selon according since like".split()
)
# Capitalised words that may follow a name without being a family name.
_NO_FAMILY = frozenset(word.capitalize() for word in (*WEEKDAYS, *MONTHS, *FRENCH_WEEKDAYS))
