"""Finds where two statements differ: another value, the opposite polarity, an antonym."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from itertools import product

from holdfast.core.frozen import frozen
from holdfast.statements.parsing import Statement
from holdfast.statements.statement_tokens import marks, root, words_of
from holdfast.statements.statement_values import Value

_PREFIXES = ("un", "in", "im", "dis", "non", "ir", "il", "counter", "anti")
_NOTHING: frozenset[str] = frozenset()
_REACH = 5  # maximum distance from a negation to the word that it denies


@frozen
class Opposition:
    """A difference: the words of each statement that differ, as written and as roots.

    `kind` is value, antonym, negation, scope or contrast. A contrast distinguishes two cases if something else
    differs as well.
    """

    kind: str
    new: str
    old: str
    new_roots: frozenset[str] = _NOTHING
    old_roots: frozenset[str] = _NOTHING
    values: tuple[Value, Value] | None = None

    @property
    def quoted(self) -> str:
        """The old and the new words: `20 → 25` for a changed value, `enabled ↔ disabled` otherwise."""
        return f"{self.old} → {self.new}" if self.kind == "value" else f"{self.old} ↔ {self.new}"


@lru_cache(maxsize=16)
def oppositions(new: Statement, old: Statement) -> tuple[Opposition, ...]:
    """All differences of two statements that oppose each other or distinguish two cases (`contrast`).

    Cached: several measures of a pair need them.
    """
    antonyms = tuple(_antonyms(new, old))
    reversals = (*antonyms, *_negation(new, old, antonyms), *_scope(new, old))
    return (*_values(new, old), *reversals, *(_cases(new, old) if reversals else ()))


def is_reversed(found: Sequence[Opposition]) -> bool:
    """Is the polarity reversed? Two reversals cancel: `must not accept` and `must reject` agree."""
    return sum(o.kind in ("negation", "antonym") for o in found) % 2 == 1


def _values(new: Statement, old: Statement) -> Iterator[Opposition]:
    """Values of one kind that differ; values in both statements are left out."""
    fresh = [v for v in new.values if not any(v.kind == w.kind and v.equals(w) for w in old.values)]
    stale = [w for w in old.values if not any(v.kind == w.kind and v.equals(w) for v in new.values)]
    for v, w in product(fresh, stale):
        if v.kind == w.kind and not are_limits_of_one_range(v, w):
            yield Opposition("value", v.text, w.text, v.unit, w.unit, (v, w))


def are_limits_of_one_range(one: Value, other: Value) -> bool:
    """Are they a lower and an upper limit that both can hold: `at least 5` and `at most 20`?"""
    return one.kind == other.kind and _opposite_limits(one, other) and _overlap(one, other)


def _cases(new: Statement, old: Statement) -> Iterator[Opposition]:
    """Limits of two cases, which do not contradict: `above 10,000` and `below 10,000`."""
    for v, w in product(new.values, old.values):
        if v.kind == w.kind and _opposite_limits(v, w) and not _overlap(v, w):
            yield Opposition("contrast", v.text, w.text)


def _opposite_limits(one: Value, other: Value) -> bool:
    return {one.bound, other.bound} == {">=", "<="}


def _overlap(one: Value, other: Value) -> bool:
    """Do the ranges of a lower and an upper limit overlap?"""
    lower, upper = (one, other) if one.bound == ">=" else (other, one)
    return lower.low < upper.high


def _antonyms(new: Statement, old: Statement) -> Iterator[Opposition]:
    """Words and phrases with an opposite, longer phrases first (`turned off` before `off`). A word is used once."""
    ours, theirs = phrases(new), phrases(old)
    alone = theirs - ours
    opposed = [(kind, one, other) for one in ours - theirs for kind, other in _opposites()[one] if other in alone]
    used: set[str] = set()
    for kind, one, other in sorted(opposed, key=lambda pair: (-len((pair[1] + pair[2]).split()), pair)):
        new_roots, old_roots = frozenset(one.split()), frozenset(other.split())
        if not (new_roots | old_roots) & used:
            used |= new_roots | old_roots
            yield Opposition(kind, _written(new, one), _written(old, other), new_roots, old_roots)
    yield from _prefixed(new, old)


@lru_cache(maxsize=512)
def phrases(statement: Statement) -> frozenset[str]:
    """The words and phrases of a statement that have an opposite. Cached: one is compared with several."""
    roots = [token.root for token in statement.tokens if not token.mark]
    known, longest = _opposites(), _longest()
    return frozenset(
        phrase
        for start, first in enumerate(roots)
        if first in longest
        for end in range(start + 1, min(start + longest[first], len(roots)) + 1)
        if (phrase := " ".join(roots[start:end])) in known
    )


def _prefixed(new: Statement, old: Statement) -> Iterator[Opposition]:
    """A word and its negated form: `encrypted` and `unencrypted`, `state` and `stateless`."""
    ours, theirs = ({t.word for t in s.tokens if len(t.word) > 4} for s in (new, old))
    for plain, denied, swapped in ((ours - theirs, theirs - ours, False), (theirs - ours, ours - theirs, True)):
        for long in sorted(filter(_denies, denied)):
            word = next((word for word in _undenied(long) if word in plain), None)
            if word is not None and root(long) not in _opposed(root(word)):
                mine, yours = (long, word) if swapped else (word, long)
                yield Opposition("antonym", mine, yours, frozenset({root(mine)}), frozenset({root(yours)}))


@lru_cache(maxsize=1 << 14)
def _denies(word: str) -> bool:
    return word.startswith(_PREFIXES) or word.endswith("less")


def _undenied(word: str) -> list[str]:
    """The words that a word may negate."""
    bare = [word[len(prefix) :] for prefix in _PREFIXES if word.startswith(prefix)]
    return [*bare, word.removesuffix("less")] if word.endswith("less") else bare


def _negation(new: Statement, old: Statement, antonyms: Sequence[Opposition]) -> Iterator[Opposition]:
    """One negates what the other states. A negating verb (`skip`, `prevent`) counts unless an antonym used it."""
    used = frozenset[str]().union(*(o.new_roots | o.old_roots for o in antonyms))
    shared = (new.topic.keys() & old.topic.keys()) | used
    ours, theirs = (_denied(statement, shared, used) for statement in (new, old))
    if not ours and not theirs and not used:
        ours, theirs = _whole_denial(new, old), _whole_denial(old, new)
    if (len(ours) - len(theirs)) % 2:
        mine = _denial(new, ours[0]) if ours else _stated(new, old, theirs[0])
        yours = _denial(old, theirs[0]) if theirs else _stated(old, new, ours[0])
        yield Opposition("negation", mine, yours)


def _whole_denial(one: Statement, other: Statement) -> list[int]:
    """A negated main verb in other words: `does not preserve the order` against `keeps the order`."""
    alone = other.topic.keys() - one.topic.keys()
    if alone or not (places := _negations(one)):
        return []
    clauses = [
        n for n, token in enumerate(one.tokens) if token.mark or token.word in ("and", "but", "or", "et", "mais")
    ]
    first = not clauses or places[0] < clauses[0]
    return places[:1] if first and not any(value.bound for value in one.values) else []


def _negations(statement: Statement) -> list[int]:
    negations = marks("negation")
    return [n for n, token in enumerate(statement.tokens) if token.word in negations]


def _denied(statement: Statement, shared: Set[str], used: frozenset[str]) -> list[int]:
    """The places of negations of something in both statements; `no more than 5` is no negation."""
    limits = {n for v in statement.values if v.bound for n in range(v.start - 4, v.start)}
    negations, deniers = marks("negation"), _deniers()
    return [
        n
        for n, token in enumerate(statement.tokens)
        if (token.word in negations and n not in limits) or token.root in deniers
        if token.root not in used
        if _target(statement, n) in shared
    ]


def _target(statement: Statement, negation: int) -> str:
    """The root of the first content word after a negation."""
    following = statement.tokens[negation + 1 : negation + 1 + _REACH]
    return next((token.root for token in following if token.root in statement.topic), "")


def _denial(statement: Statement, negation: int) -> str:
    words = statement.tokens[max(0, negation - 1) : negation + 2]
    return " ".join(token.text for token in words if not token.mark)


def _stated(statement: Statement, other: Statement, negation: int) -> str:
    """The words of one statement that the other negates: the modal and its verb, or the negated word."""
    target = _target(other, negation)
    words = [token for token in statement.tokens if not token.mark]
    place = next((n for n, token in enumerate(words) if token.root == target), 0)
    modal = next((n for n in range(place - 1, -1, -1) if words[n].word in marks("verb")), place)
    return " ".join(token.text for token in words[modal : modal + 1 + (modal < place)])


def _scope(new: Statement, old: Statement) -> Iterator[Opposition]:
    """`Only administrators may …` against the same statement about somebody else."""
    for narrow, wide, swapped in ((new, old, False), (old, new, True)):
        if narrow.narrows and not wide.narrows and (others := wide.subject - narrow.topic.keys()):
            own = narrow.subject - wide.topic.keys()
            texts = (_words(narrow, own) or "only", _words(wide, others))
            texts, roots = ((texts[1], texts[0]), (others, own)) if swapped else (texts, (own, others))
            yield Opposition("scope", *texts, *roots)


def _words(statement: Statement, roots: frozenset[str]) -> str:
    return " ".join(token.text for token in statement.tokens if token.root in roots)


def _written(statement: Statement, phrase: str) -> str:
    """A phrase of folded words as written in the statement."""
    roots = phrase.split()
    words = [token for token in statement.tokens if not token.mark]
    for place in range(len(words) - len(roots) + 1):
        if [token.root for token in words[place : place + len(roots)]] == roots:
            return " ".join(token.text for token in words[place : place + len(roots)])
    return phrase


@cache
def _opposites() -> Mapping[str, frozenset[tuple[str, str]]]:
    """Folded word or phrase -> its opposites, each as an antonym or a contrast."""
    found: dict[str, set[tuple[str, str]]] = {}
    for left, right in words_of("antonyms.txt"):
        kind = "contrast" if left.startswith("~") else "antonym"
        for one, other in product(left.lstrip("~").split(","), right.split(",")):
            a, b = _folded(one), _folded(other)
            if a != b:
                found.setdefault(a, set()).add((kind, b))
                found.setdefault(b, set()).add((kind, a))
    return {phrase: frozenset(opposites) for phrase, opposites in found.items()}


def are_opposed(one: str, other: str) -> bool:
    """Are two roots opposites?"""
    return other in _opposed(one)


def _opposed(phrase: str) -> set[str]:
    return {other for _, other in _opposites().get(phrase, ())}


@cache
def _longest() -> Mapping[str, int]:
    """First word of a known phrase -> number of words of the longest phrase that begins with it."""
    found: dict[str, int] = {}
    for words in map(str.split, _opposites()):
        found[words[0]] = max(len(words), found.get(words[0], 0))
    return found


@cache
def _deniers() -> frozenset[str]:
    return frozenset(map(root, marks("denier")))


def _folded(phrase: str) -> str:
    return " ".join(map(root, phrase.split()))
