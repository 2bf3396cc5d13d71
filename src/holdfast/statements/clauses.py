"""Finds the main verb of a statement and the clause of each of its tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from holdfast.statements.statement_tokens import StatementToken, marks, words_of

_PRONOUNS = frozenset(
    "i we you they he she it who i've we've i'm we're they're je j' nous vous il elle ils elles".split()
)
_DETERMINERS = frozenset(
    "the a an our my your his her their its this that these those each every all any no some both le la les l' un une "
    "des du au aux mon ma mes notre nos votre vos son sa ses leur leurs ce cet cette ces chaque".split()
)
_FRENCH = frozenset(
    "le la les des du une est sont à au aux cet cette dans sur pour avec chez je nous il elle ne "
    "c' l' d' j' n' s' qu'".split()
)
_ENGLISH = frozenset("the is are of to and in with for at we my our".split())
_ADVERBS = frozenset(
    "now always never also still usually often only mostly just already currently no longer please then really "
    "ne n' s' m' se me désormais maintenant toujours".split()
)
_TITLES = frozenset("dr mr mrs ms st prof".split())
_PLURALS = frozenset("people children men women kids and or".split())
_BREAKS = frozenset(". ! ? ; when if because while unless before after so si quand lorsque car parce".split())


def is_french(tokens: Sequence[StatementToken]) -> bool:
    """Does the text have more small French words than English ones?"""
    words = [token.word for token in tokens]
    opening = bool(words) and words[0] == "on" and len(words) > 1 and words[1] in _french_verbs() | {"n'", "ne", "a"}
    return opening + sum(word in _FRENCH for word in words) > sum(word in _ENGLISH for word in words)


def main_verb(tokens: Sequence[StatementToken]) -> int:
    """The number of the token that ends the subject: the verb; -1 for an imperative.

    If no verb is recognised, a colon ends the subject (`Read timeout: 5 s`), else nothing is a subject (0).
    """
    words = [token.word for token in tokens]
    places = [n for n, word in enumerate(words) if word not in _ADVERBS]
    ends = (n for n in places if n and words[n] in _BREAKS and words[n - 1] not in _TITLES)
    end = next(ends, len(words))
    if words[:1] == ["please"] and len(words) > 1 and words[1] in _plain_verbs():
        return -1
    french = is_french(tokens)
    for before, place in pairwise([-1, *(n for n in places if n < end)]):
        if _is_verb(words[place], words[: before + 1], french):
            return place
    if places and words[places[0]] in _plain_verbs():
        return -1
    return words.index(":") if ":" in words else 0


def _is_verb(word: str, subject: Sequence[str], french: bool) -> bool:
    """Can the word be the verb after this subject?"""
    before = subject[-1] if subject else ""
    if before in _PRONOUNS or (french and before == "on"):
        return word.isalpha() or "'" in word
    if word in marks("verb") and before and before not in _DETERMINERS:
        return True
    if not before or before in _DETERMINERS or not before[0].isalnum():
        return False
    if french:
        return word in _french_verbs() or (word.endswith("ent") and before.endswith(("s", "x")))
    form = _english_forms().get(word)
    # An English verb agrees with its subject: `the job runs`, `the jobs run`; `upload limit` has no verb.
    plural = any((noun.endswith("s") and noun not in _DETERMINERS) or noun in _PLURALS for noun in subject)
    if form == "singular":  # the second word may follow a name in -s: `Ines leads`
        return not before.endswith("s") or len(subject) == 1
    return form == "past" or (form == "plain" and plural)


@cache
def _plain_verbs() -> frozenset[str]:
    return frozenset(words_of("verbs.txt")[0])


@cache
def _french_verbs() -> frozenset[str]:
    return frozenset(words_of("verbs.txt")[1])


@cache
def _english_forms() -> Mapping[str, str]:
    """Forms of the known verbs -> plain, singular (`runs`) or past (`stored`, `wrote`)."""
    forms: dict[str, str] = {}
    for verb in _plain_verbs():
        stem = verb[:-1] if verb.endswith(("e", "y")) else verb
        third = f"{stem}ies" if verb.endswith("y") and verb[-2] not in "aeou" else ""
        forms |= dict.fromkeys((f"{verb}s", f"{verb}es", third), "singular")
        forms |= dict.fromkeys((f"{stem}ed", f"{stem}ied", f"{verb}{verb[-1]}ed"), "past")
    for plain, *others in words_of("irregular.txt"):
        if plain in _plain_verbs():
            forms |= {word: "past" for word in others if not word.endswith(("s", "ing"))}
    return forms | dict.fromkeys(_plain_verbs(), "plain")
