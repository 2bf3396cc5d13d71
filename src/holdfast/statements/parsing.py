"""Parses a short statement for comparison: its topic, values, polarity and condition."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from holdfast.core.frozen import frozen
from holdfast.statements.change_words import ChangeMarks, change_marks
from holdfast.statements.clauses import is_french, main_verb
from holdfast.statements.statement_tokens import StatementToken, marks, tokens_of, weight
from holdfast.statements.statement_values import Value, values_of

_NAME = 1.2  # factor of the weight of a name
_MAX_CHARACTERS = 2_000
_NEAR = 7  # number of words on each side of a value that describe it
_SINGLE = frozenset("the a an each every this le la un une chaque".split())
# For text in lower case: a pattern that ignores case takes three times as long.
_OF_THE_USER = re.compile(r"(?:the )?user(?:'s)? (?!must|shall|should|may|can)")
_NARROWS = re.compile(r"\W*(?:only|solely|exclusively|none but|(?:nobody|no one|no-one) (?:but|except)|seule?s?)\b")
# `too slow` adds nothing.
_ADDS = re.compile(r"\b(?:also|too(?! \w)|as well|in addition|additionally|aussi|également)\b")


@frozen(slots=False, eq=False)
class Statement:
    """A parsed text. `topic` has the weights of its content words, without its values.

    Everything else is computed on demand: most pairs of statements are soon found to have different subjects.
    """

    text: str
    tokens: tuple[StatementToken, ...]
    values: tuple[Value, ...]
    topic: Mapping[str, float]

    @cached_property
    def normalised(self) -> tuple[str, ...]:
        """Its words without fillers, with values normalised."""
        return _normalised_words(self.tokens, self.values)

    @cached_property
    def subject(self) -> frozenset[str]:
        """The content words before the verb."""
        return _subject(self.tokens, self.topic)

    @cached_property
    def verb(self) -> int:
        """The number of the token that ends the subject; -1 for an imperative."""
        return main_verb(self.tokens)

    @cached_property
    def numbered(self) -> Mapping[str, frozenset[str]]:
        """The numbers of the things that it names (`ticket 8`), by their kind.

        What something is or has is no such thing but a value: `The project is in phase 2`.
        """
        found: dict[str, frozenset[str]] = {}
        kinds = marks("numbered")
        states = self.verb > 0 and self.tokens[self.verb].word in marks("being") | marks("having")
        named = self.tokens[: self.verb] if states else self.tokens
        for kind, number in pairwise(token for token in named if token.text != "#"):
            if kind.word in kinds and number.text.isdigit():
                found[kind.root] = found.get(kind.root, frozenset()) | {number.text}
        return found

    @cached_property
    def french(self) -> bool:
        """Is it written in French?"""
        return is_french(self.tokens)

    @cached_property
    def change(self) -> ChangeMarks:
        """The words that say that something changed."""
        return change_marks(self.tokens)

    @cached_property
    def frame(self) -> Statement:
        """The statement without the words that mark a change and without the old value that it names."""
        change = self.change
        if not change.marked and not change.denied:
            return self
        left_out = change.marked | change.denied
        kept = tuple([token for place, token in enumerate(self.tokens) if place not in left_out])
        values = values_of(kept)
        return Statement(self.text, kept, values, _topic(kept, values))

    @cached_property
    def unsure(self) -> bool:
        """Is it a question, a supposition or somebody else's opinion? A doubt in another clause does not count."""
        if not self.change.unsure:
            return False
        clause = [sum(token.text in ",;" for token in self.tokens[:place]) for place in range(len(self.tokens))]
        main = clause[max(self.verb, 0)] if clause else 0
        return any(clause[place] <= main or self.tokens[place].text == "?" for place in self.change.unsure)

    @cached_property
    def condition(self) -> frozenset[str]:
        """The content words of the conditional clause."""
        return _condition(self.tokens, self.topic)

    @cached_property
    def force(self) -> frozenset[str]:
        """Its words that say how binding it is (`must`, `should`)."""
        return marks("force") & self._words

    @cached_property
    def negated(self) -> bool:
        """Does it have an odd number of negations?"""
        negations = marks("negation")
        return len([token for token in self.tokens if token.word in negations]) % 2 == 1

    @cached_property
    def ended(self) -> bool:
        """Does it say that something no longer holds?"""
        return not self.change.kinds.isdisjoint(("gone", "ends"))

    @cached_property
    def personal(self) -> bool:
        """Is it about the user?"""
        return not marks("personal").isdisjoint(self._words) or _OF_THE_USER.match(self._lower) is not None

    @cached_property
    def narrows(self) -> bool:
        """Does it begin with `only` or the like?"""
        return _NARROWS.match(self._lower) is not None

    @cached_property
    def adds(self) -> bool:
        """Does it add to another statement (`also`)?"""
        return _ADDS.search(self._lower) is not None

    def around(self, value: Value, reach: int = _NEAR) -> tuple[StatementToken, ...]:
        """The tokens on both sides of a value, within its own sentence."""
        before = self.tokens[max(0, value.start - reach) : value.start]
        after = self.tokens[value.end : value.end + reach]
        starts = [n for n, token in enumerate(before) if token.text in ".!?"]
        ends = [n for n, token in enumerate(after) if token.text in ".!?"]
        return before[starts[-1] + 1 if starts else 0 :] + after[: ends[0] if ends else None]

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset([token.word for token in self.tokens])

    @cached_property
    def _lower(self) -> str:
        return self.text.lower()


@lru_cache(maxsize=4096)
def read(text: str) -> Statement:
    """Parses a statement, of a long text only the beginning; cached."""
    tokens = tokens_of(text[:_MAX_CHARACTERS])
    values = values_of(tokens)
    return Statement(text, tokens, values, _topic(tokens, values))


def _normalised_words(tokens: Sequence[StatementToken], values: Sequence[Value]) -> tuple[str, ...]:
    """The words in order, with values normalised: `thirty days` and `30 days` are equal."""
    values_at = {place: "" for value in values for place in range(value.start, value.end)}
    values_at |= {value.start: f"{value.kind} {value.low:g} {value.high:g}" for value in values}
    fillers = marks("filler")
    words = [token.root if not token.mark and token.word not in fillers else "" for token in tokens]
    return tuple(word for place, root in enumerate(words) if (word := values_at.get(place, root)))


def _topic(tokens: Sequence[StatementToken], values: Sequence[Value]) -> dict[str, float]:
    """The weights of the content words, of the names, and of the words that the numbers count."""
    in_values = {place for value in values for place in range(value.start, value.end)}
    content = [token for place, token in enumerate(tokens) if place not in in_values and token.text[0].isalpha()]
    topic = {token.root: weight(token.root) * (_NAME if token.name else 1.0) for token in content}
    topic |= {unit: weight(unit) for value in values for unit in value.unit}
    return {word: weighs for word, weighs in topic.items() if weighs > 0}


def _subject(tokens: Sequence[StatementToken], topic: Mapping[str, float]) -> frozenset[str]:
    """The content words before the verb.

    If no verb is recognised, a plural ends the subject (`invited users start`); after `the` or `a`, the first word in
    -s is taken for the verb (`the importer rejects`).
    """
    found: list[str] = []
    plural: list[str] = []
    single = bool(tokens) and tokens[0].word in _SINGLE
    verbs = marks("verb")
    for token in tokens:
        if token.word in verbs and found:
            return frozenset(found)
        if token.root in topic:
            ends = token.word.endswith("s") and not plural and bool(found or not single)
            found.append(token.root)
            plural = (found[:-1] if single else found[:]) if ends else plural
    return frozenset(plural or found[:1])


def _condition(tokens: Sequence[StatementToken], topic: Mapping[str, float]) -> frozenset[str]:
    opening = marks("condition")
    start = next((n for n, token in enumerate(tokens) if token.word in opening), len(tokens))
    clause = tokens[start:]
    end = next((n for n, token in enumerate(clause) if token.mark), len(clause))
    return frozenset(token.root for token in clause[:end] if token.root in topic)
