"""Where two statements say different things of one matter: another value, the other polarity, the opposite word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from holdfast.trust.statements.reading import NEGATIONS, Statement
from holdfast.trust.statements.tokens import Token, root, words_of
from holdfast.trust.statements.values import Value

_PREFIXES = ("un", "in", "im", "dis", "non", "ir", "il")
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Opposition:
    """Two pieces that differ: `kind` is value, negation, antonym, contrast, scope or option; the roots are what they use up."""

    kind: str
    new: str
    old: str
    new_roots: frozenset[str] = _NOTHING
    old_roots: frozenset[str] = _NOTHING
    values: tuple[Value, Value] | None = None

    @property
    def reason(self) -> str:
        return f"{self.old} → {self.new}" if self.kind in ("value", "option") else f"{self.old} ↔ {self.new}"


def oppositions(new: Statement, old: Statement) -> tuple[Opposition, ...]:
    """All pieces of the two that stand against each other, and those that tell two cases apart (`contrast`)."""
    antonyms = tuple(_antonyms(new, old))
    found = (
        *_values(new, old),
        *antonyms,
        *_options(new, old),
        *_negation(new, old, antonyms),
        *_scope(new, old),
        *_cases(new, old),
    )
    return found or tuple(_swap(new, old))


def turned(found: Sequence[Opposition]) -> bool:
    """Is the polarity turned? Two turns cancel: `must not accept` and `must reject` agree."""
    return sum(o.kind in ("negation", "antonym") for o in found) % 2 == 1


def _values(new: Statement, old: Statement) -> Iterator[Opposition]:
    """Values of one kind that differ; a value that both tell stands against nothing."""
    fresh = [v for v in new.values if not any(v.kind == w.kind and v.equals(w) for w in old.values)]
    stale = [w for w in old.values if not any(v.kind == w.kind and v.equals(w) for v in new.values)]
    for v, w in product(fresh, stale):
        if v.kind == w.kind and not (_opposite_limits(v, w) and _meet(v, w)):
            yield Opposition("value", v.text, w.text, v.unit, w.unit, (v, w))


def _cases(new: Statement, old: Statement) -> Iterator[Opposition]:
    """`Above 10,000` and `below 10,000`, `larger than 25 MB` and `up to 25 MB`: two cases, no contradiction."""
    for v, w in product(new.values, old.values):
        if v.kind == w.kind and _opposite_limits(v, w) and not _meet(v, w):
            yield Opposition("contrast", v.text, w.text)


def _opposite_limits(one: Value, other: Value) -> bool:
    return {one.bound, other.bound} == {">=", "<="}


def _meet(one: Value, other: Value) -> bool:
    """A lower and an upper limit that leave room between them."""
    lower, upper = (one, other) if one.bound == ">=" else (other, one)
    return lower.low < upper.high


def _antonyms(new: Statement, old: Statement) -> Iterator[Opposition]:
    spent: set[str] = set()
    for kind, one, other in _pairs():
        if _says(new, one) and _says(old, other) and not _says(new, other) and not _says(old, one):
            ours, theirs = frozenset(one.split()), frozenset(other.split())
            if not (ours | theirs) & spent:
                spent |= ours | theirs
                yield Opposition(kind, _written(new, one), _written(old, other), ours, theirs)
    yield from _prefixed(new, old)


def _prefixed(new: Statement, old: Statement) -> Iterator[Opposition]:
    """`encrypted` and `unencrypted`, `visible` and `invisible`: one word, and it again with a prefix that denies it."""
    ours, theirs = ({t.word for t in s.tokens if len(t.word) > 4} for s in (new, old))
    for prefix in _PREFIXES:
        for plain, denied, swap in ((ours, theirs, False), (theirs, ours, True)):
            for word in sorted(plain - denied):
                if prefix + word in denied - plain and not _known(root(word), root(prefix + word)):
                    pair = (prefix + word, word) if swap else (word, prefix + word)
                    yield Opposition("antonym", *pair, frozenset({root(pair[0])}), frozenset({root(pair[1])}))


def _options(new: Statement, old: Statement) -> Iterator[Opposition]:
    """Two members of a set of which one slot holds one."""
    for members in _sets():
        ours, theirs = ({t.root for t in s.tokens} & members for s in (new, old))
        if len(ours) == len(theirs) == 1 and ours != theirs:
            one, two = next(iter(ours)), next(iter(theirs))
            yield Opposition("option", _written(new, one), _written(old, two), frozenset(ours), frozenset(theirs))


def _negation(new: Statement, old: Statement, antonyms: tuple[Opposition, ...]) -> Iterator[Opposition]:
    """One denies and the other does not. A verb that denies (`skip`, `prevent`) counts unless an antonym used it."""
    spent = frozenset[str]().union(*(o.new_roots | o.old_roots for o in antonyms))
    ours, theirs = (_denials(statement, spent) for statement in (new, old))
    if (ours - theirs) % 2:
        yield Opposition("negation", _negated(new), _negated(old))


def _denials(statement: Statement, spent: frozenset[str]) -> int:
    limits = {n for v in statement.values if v.bound for n in range(v.start - 4, v.start)}  # `no more than 5`
    return sum(
        (t.word in NEGATIONS and n not in limits) or t.root in _deniers() - spent
        for n, t in enumerate(statement.tokens)
    )


def _scope(new: Statement, old: Statement) -> Iterator[Opposition]:
    """`Only administrators may …` against the same of somebody else."""
    for narrow, wide, swapped in ((new, old, False), (old, new, True)):
        others = wide.subject - narrow.topic.keys()
        if narrow.narrows and not wide.narrows and others:
            mine = narrow.subject - wide.topic.keys()
            pieces = (_words(narrow, mine) or "only", _words(wide, others))
            pieces, roots = ((pieces[1], pieces[0]), (others, mine)) if swapped else (pieces, (mine, others))
            yield Opposition("scope", *pieces, *roots)


def _swap(new: Statement, old: Statement) -> Iterator[Opposition]:
    """The same frame with one other word in it: `uses cursors` and `uses offsets`, `lives in Lyon`, `lives in Rome`.

    Only where the verb says what is the case, of which there is one; `contains` and `supports` may hold of both.
    """
    ours, theirs = (_framed(one, other) for one, other in ((new, old), (old, new)))
    if len(ours) == len(theirs) == 1:
        (mine, before), (yours, behind) = ours[0], theirs[0]
        if before == behind and before in _STATES | _TOWARDS and _states(new) and _states(old):
            yield Opposition("option", mine.text, yours.text, frozenset({mine.root}), frozenset({yours.root}))


def _framed(one: Statement, other: Statement) -> list[tuple[Token, str]]:
    """The telling words that only this one has, each with the word before it; none of them in the subject."""
    words = [token for token in one.tokens if not token.mark]
    alone = [n for n, t in enumerate(words) if t.root in one.topic and t.root not in other.topic]
    if any(words[n].root in one.subject for n in alone):
        return []
    runs = [n for n in alone if n - 1 not in alone]
    return [(words[n], words[n - 1].word if n else "") for n in runs]


def _states(statement: Statement) -> bool:
    words = {token.word for token in statement.tokens}
    return bool(words & _STATES) and not words & _ADDITIVE and not statement.permits


def _negated(statement: Statement) -> str:
    """The negation with the word before it, or, where there is none, the verb that could carry one."""
    words = [token for token in statement.tokens if not token.mark]
    for place, token in enumerate(words):
        if token.word in NEGATIONS or token.root in _deniers():
            return " ".join(t.text for t in words[max(0, place - 1) : place + 2])
    verb = next((n for n, t in enumerate(words) if t.word in _VERBS and n), 0)
    return " ".join(t.text for t in words[verb : verb + 2])


def _says(statement: Statement, phrase: str) -> bool:
    return f" {phrase} " in statement.folded


def _words(statement: Statement, roots: frozenset[str]) -> str:
    return " ".join(token.text for token in statement.tokens if token.root in roots)


def _written(statement: Statement, phrase: str) -> str:
    """A phrase of folded words as the statement writes it."""
    roots = phrase.split()
    words = [token for token in statement.tokens if not token.mark]
    for place in range(len(words) - len(roots) + 1):
        if [token.root for token in words[place : place + len(roots)]] == roots:
            return " ".join(token.text for token in words[place : place + len(roots)])
    return phrase


@cache
def _pairs() -> tuple[tuple[str, str, str], ...]:
    """The antonyms and contrasts both ways round, folded, the longer phrases first."""
    found: dict[tuple[str, str, str], None] = {}
    for left, right in words_of("antonyms.txt"):
        kind = "contrast" if left.startswith("~") else "antonym"
        for one, other in product(left.lstrip("~").split(","), right.split(",")):
            a, b = _folded(one), _folded(other)
            if a != b:
                found |= {(kind, a, b): None, (kind, b, a): None}
    return tuple(sorted(found, key=lambda pair: (-len(pair[1].split()) - len(pair[2].split()), pair[0])))


@cache
def _known(one: str, other: str) -> bool:
    return any((kind, one, other) in _pairs() for kind in ("antonym", "contrast"))


@cache
def _deniers() -> frozenset[str]:
    return frozenset(map(root, "skip prevent avoid forbid prohibit refuse lack deny stop".split()))


@cache
def _sets() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(root, line)) for line in words_of("options.txt"))


def _folded(phrase: str) -> str:
    return " ".join(map(root, phrase.split()))


_VERBS = frozenset("must shall should may can will is are was were has have had do does doit doivent peut est".split())
# Verbs of which one thing is the case at a time, the words that lead to it, and those that leave room for more.
_STATES = frozenset(
    """is are am be i'm uses use using lives live living works work working prefers prefer defaults runs run stored
    encoded written named called located based hosted deployed drives drive studies study belongs set est sont utilise
    habite habitons travaille préfère""".split()
)
_TOWARDS = frozenset("in at on to as for with by the a an my our from à en au chez le la un une".split())
_ADDITIVE = frozenset(
    """available include includes contain contains support supports have has accept accepts also visited bought tried
    saw read watched reading watching planning thinking looking considering interested""".split()
)
