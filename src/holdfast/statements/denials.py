"""Decides whether a statement names or withdraws what an older one says: `instead of Tuesdays`, `we dropped Sass`."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.statements.alignment import content_keys, units_of
from holdfast.statements.parsing import Statement
from holdfast.statements.statement_tokens import StatementToken, marks

_MIN_NAMED = 0.6  # minimum share of a named old value that the old statement contains
_MIN_NAMED_NAME = 0.45  # the same, if it contains a name


def names_old_value(new: Statement, old: Statement) -> bool:
    """Does the new statement name a value of the old one as outdated (`instead of Tuesdays`)?"""
    denied = [unit for unit in units_of(new) if unit.start in new.change.denied]
    of_subject = _said_of_subject(old)
    named = [unit for unit in denied if unit.key in of_subject]
    # A plain word alone, such as `stripped` in `applied, not stripped`, names no value that only one subject has.
    # After `from` or `replaced` it does.
    plain = all(unit.kind == "word" and unit.start not in new.change.replaced for unit in named)
    if plain and {unit.key for unit in named} >= content_keys(new) & content_keys(old):
        return False
    return bool(named) and sum(u.weight for u in named) > _MIN_NAMED * sum(unit.weight for unit in denied)


def is_withdrawn(new: Statement, old: Statement) -> bool:
    """Does the old statement contain what a clause of the new one withdraws? Only plain words may be missing."""
    tokens, marked = new.tokens, new.change.gone
    ends = [token.text in ".;,!?" or _begins_clause(tokens, n) for n, token in enumerate(tokens)]
    clause = [sum(ends[: place + 1]) for place in range(len(tokens))]
    places = {clause[place] for place in marked}
    left_out = new.change.marked | marked
    units = [u for u in units_of(new) if clause[u.start] in places and u.start not in left_out]
    said = [unit for unit in units if unit.kind != "speaker"]
    known = content_keys(old)
    missing = [unit for unit in said if unit.key not in known]
    about = known if _cancels_event(new, old) else _said_of_subject(old)
    if any(unit.kind != "word" for unit in missing) or about.isdisjoint(unit.key for unit in said):
        return False
    # A name that both share says more than the words that they do not: `quit my job at Siemens`.
    least = _MIN_NAMED_NAME if any(u.kind == "name" and u.key in known for u in said) else _MIN_NAMED
    return sum(unit.weight for unit in missing) <= (1 - least) * sum(unit.weight for unit in said)


def name_one_thing_each(*statements: Statement) -> bool:
    """Does each name one thing, apart from a time: `We are moving to MongoDB in May`, `We stay on MySQL`?"""
    for statement in statements:
        units = [u for u in units_of(statement) if u.family != "time" and u.text.lower() not in marks("moving")]
        if [unit.kind == "speaker" for unit in units] != [True, False]:
            return False
    return True


def _said_of_subject(old: Statement) -> frozenset[str]:
    """The keys that follow the verb of the old statement: `Sass` in `We use Sass`, not in `Sass is fast`."""
    return frozenset([unit.key for unit in units_of(old) if unit.start >= old.verb and unit.kind != "speaker"])


def _cancels_event(new: Statement, old: Statement) -> bool:
    return "cancels" in new.change.kinds and any(unit.family in ("time", "amount") for unit in units_of(old))


def _begins_clause(tokens: Sequence[StatementToken], place: int) -> bool:
    """Does a clause with a verb follow: `dropped X and started with Y`, not `dropped X and Y`?"""
    following = tokens[place + 1 : place + 2]
    return tokens[place].word in ("and", "et") and any(
        not token.name and token.word not in marks("article") and token.word[0].isalpha() for token in following
    )
