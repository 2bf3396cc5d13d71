"""Rules and decisions: what a person settles, by order, by answer, by correction or by saying yes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.sentences import Sentence, telling
from holdfast.conversation.extract.turns import Turn
from holdfast.core.conversation import Message

# From here on a sentence is a ruling by itself; in a conversation that has one, a lighter sentence will do.
ENOUGH = 1.2
_LIGHT = 0.4
# A sentence of fewer telling words leans on its neighbour.
_SHORT = 4
# What is longer was not said to be remembered.
_LONGEST = 600
# A clause that has more than this share of its words in a ruling is that ruling.
_KNOWN = 0.6
_CLAUSE = re.compile(r" - |: |; |, (?:but|and|so|then|mais|et|donc) |\. ")
_PART = re.compile(r"(?<=;)\s+|(?<=[.!?])\s+(?=[A-Z])")
# Two orders in one sentence: each may be changed alone.
_SECOND_ORDER = re.compile(
    r", (?:and|et) (?=(?:cap|limit|keep|use|drop|never|always|don't|do not|round|return|ignore|raise|reject|skip|treat"
    r"|allow|stop|garde[rz]?|utilise[rz]?)\b)"
)
_LEANS = cues.beginning(
    "and  but  so  then  also  et  mais  donc  alors",
    """
    it  its  that  this  those  these  they  them  he  she  then  same  both  either  neither  no  not  yes
    ça  cela  ils  elles  non  oui
    """,
)
_POINTS_BACK = cues.beginning("then  and  so  but  just", r"\w+ (?:it|that|them|this|those)")
_FIRST_PERSON = cues.beginning(
    "and  but  so  also  oh  by the way  anyway  actually", "i  i'm  i've  i'll  i'd  my  me  je  j'\\w+  mon  ma  mes"
)
_EMPHASIS = re.compile(
    r"(?<![\w`'\"_.-])(?:NOT?|NEVER|ALWAYS|ONLY|MUST|BEFORE|AFTER|ALL|ANY|EVERY|EXACTLY|STAYS?|UP|DOWN|BELOW|ABOVE|FIRST"
    r"|LAST|AND|BOTH|NOTHING|EXCEPT|UNLESS|JAMAIS|TOUJOURS|PAS)(?![\w`'\"_.(-])"
)
_WEIGHTS = {
    "binds": 0.6, "strong": 0.6, "lasts": 1.2, "orders": 0.7, "orders inside": 0.4, "forbids": 0.6, "ours": 0.4,
    "notes": 1.3, "changes": 0.8, "refuses": 0.9, "contrasts": 0.6, "emphasis": 0.4, "chooses": 0.8, "answers": 0.4,
    "terse": 0.9, "agrees": 0.2, "once": -0.6, "doubts": -1.0, "comments": -1.0, "past": -0.5, "describes": -0.5,
    "first person": -0.9, "item": -0.6,
}  # fmt: skip
_Weighed = tuple[float, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was settled: the words, in which message they stand, and why they count.

    `agreed` is the person's message when the words are the assistant's.
    """

    quote: str
    message: Message
    turn: Turn
    weight: float
    signs: frozenset[str]
    agreed: Message | None = None


def rulings(talk: Sequence[Turn]) -> tuple[Ruling, ...]:
    """The rulings of a conversation, in order.

    Why the conversation as a whole is looked at: where somebody decides once, what they add in the same breath is
    part of the ruling; where nobody decides anything, a sentence must speak for itself.
    """
    weighed = [[_weigh(one, turn, place) for place, one in enumerate(turn.said)] for turn in talk]
    decides = any(weight >= ENOUGH for turn in weighed for weight, _ in turn)
    found: list[Ruling] = []
    for turn, weights in zip(talk, weighed, strict=True):
        found.extend(_of_turn(turn, weights, _LIGHT if decides and not turn.opening else ENOUGH))
        found.extend(_agreed(turn, found))
    return tuple(found)


def _weigh(sentence: Sentence, turn: Turn, place: int) -> _Weighed:
    """How much a sentence looks like a ruling, and by which signs. `place` is its number in the turn."""
    if sentence.asks or len(sentence.text) > _LONGEST:
        return 0.0, frozenset()
    said = cues.plain(sentence.text)
    signs = frozenset(name for name, there in _identity(said, sentence, turn, place) if there)
    return round(sum(_WEIGHTS[name] for name in signs), 3), signs


def _identity(said: str, sentence: Sentence, turn: Turn, place: int) -> Iterator[tuple[str, bool]]:
    answering = bool(turn.asked or turn.proposed)
    head, *clauses = _CLAUSE.split(said)
    orders = cues.KEEPS.match(head) is not None
    yield "binds", cues.BINDS.search(said) is not None
    yield "strong", cues.STRONG.search(said) is not None
    yield "lasts", cues.LASTS.search(said) is not None
    yield "orders", orders
    yield "orders inside", not orders and any(cues.KEEPS.match(clause) for clause in clauses)
    yield "forbids", cues.FORBIDS.match(head) is not None
    yield "ours", any(cues.OURS.match(clause) for clause in (head, *clauses))
    yield "notes", cues.NOTES.match(said) is not None
    yield "changes", cues.CHANGES.search(said) is not None
    yield "once", not orders and cues.ONCE.match(head) is not None
    yield "refuses", answering and place == 0 and cues.REFUSES.match(said) is not None
    yield "contrasts", cues.CONTRASTS.search(said) is not None
    yield "emphasis", _EMPHASIS.search(sentence.text) is not None
    yield "chooses", bool(turn.asked) and place < 2
    yield "answers", not turn.asked and bool(turn.proposed) and place < 2
    yield "terse", bool(turn.asked) and place == 0 and _is_terse(said)
    yield "agrees", answering and place == 0 and cues.AGREES.match(said) is not None
    yield "doubts", cues.DOUBTS.search(head) is not None
    yield "comments", cues.COMMENTS.match(said) is not None
    yield "past", cues.PAST.search(head) is not None
    yield "describes", cues.DESCRIBES.match(said) is not None
    yield "first person", _FIRST_PERSON.match(said) is not None
    yield "item", sentence.item


def _is_terse(said: str) -> bool:
    """A choice in a word or two; not a bare yes, and not a remark on something."""
    bare = said.strip(" .!,")
    words = bare.split()
    if len(words) > _SHORT or (_LEANS.match(said) and len(words) < 2):
        return False
    return not (cues.AGREES.match(bare) or bare.startswith(("that's", "it's", "this is", "thanks", "i ", "i'm")))


def _of_turn(turn: Turn, weights: Sequence[_Weighed], least: float) -> Iterator[Ruling]:
    for first, last in _groups(turn, weights, least):
        weight, signs = max(weights[first : last + 1], key=lambda one: one[0])
        for begin, end in _parts(turn.message.text, turn.said[first].start, turn.said[last].end):
            yield Ruling(turn.message.text[begin:end], turn.message, turn, weight, signs)


def _groups(turn: Turn, weights: Sequence[_Weighed], least: float) -> list[tuple[int, int]]:
    """The rulings of a turn as first and last sentence: one that cannot stand alone is joined to its neighbour."""
    groups: list[tuple[int, int]] = []
    for place, (weight, signs) in enumerate(weights):
        after = bool(groups) and groups[-1][1] == place - 1
        if turn.said[place].asks or "comments" in signs or _only_agrees(turn, place):
            continue
        if after and _goes_on(turn, groups[-1], place, weight, least):
            groups[-1] = (groups[-1][0], place)
        elif weight >= least and place and (_points_back(turn, place) or _leads(turn, weights, place - 1)):
            groups.append((place - 1, place))
        elif weight >= least:
            groups.append((place, place))
    return [group for group in groups if group[0] != group[1] or not _says_nothing(turn, weights, group[0])]


def _goes_on(turn: Turn, group: tuple[int, int], place: int, weight: float, least: float) -> bool:
    if weight >= 0 and (_is_short(turn, place) or _is_short(turn, *group)):
        return True
    return weight >= least and _points_back(turn, place)


def _is_short(turn: Turn, first: int, last: int | None = None) -> bool:
    said = turn.said[first : (first if last is None else last) + 1]
    return sum(len(telling(one.text)) for one in said) < _SHORT


def _only_agrees(turn: Turn, place: int) -> bool:
    """`That's the rule going forward`: it points to what the assistant said and adds nothing."""
    return cues.SETTLES.match(cues.plain(turn.said[place].text)) is not None


def _points_back(turn: Turn, place: int) -> bool:
    before = turn.said[place - 1] if place else None
    return before is not None and not before.asks and _POINTS_BACK.match(cues.plain(turn.said[place].text)) is not None


def _leads(turn: Turn, weights: Sequence[_Weighed], place: int) -> bool:
    """A short refusal or choice leads to the sentence that says what it means."""
    weight, signs = weights[place]
    answers = bool(signs & {"refuses", "chooses", "answers"}) and "comments" not in signs
    return answers and weight > 0 and _is_short(turn, place)


def _says_nothing(turn: Turn, weights: Sequence[_Weighed], place: int) -> bool:
    return not telling(turn.said[place].text) and "terse" not in weights[place][1]


def _parts(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """One sentence that gives two orders gives two rulings, so that one can change without the other."""
    joint = _SECOND_ORDER.search(text, begin, end)
    if joint is None or not (telling(text[begin : joint.start()]) and telling(text[joint.end() : end])):
        yield begin, end
        return
    yield begin, joint.start()
    yield joint.end(), end


def _agreed(turn: Turn, before: Sequence[Ruling]) -> Iterator[Ruling]:
    """What the assistant said and the person made their own: its rules, unless the person said them before."""
    if not (turn.proposed and turn.said and _settles(turn)):
        return
    known = [set(telling(one.quote)) for one in before]
    message = turn.before[-1]
    for begin, end in _clauses(turn):
        quote = message.text[begin:end]
        words = set(telling(quote))
        if not words or any(len(words & other) > _KNOWN * len(words) for other in known):
            continue
        known.append(words)
        yield Ruling(quote, message, turn, ENOUGH, frozenset({"agreed"}), turn.message)


def _settles(turn: Turn) -> bool:
    said = [cues.plain(one.text) for one in turn.said[:2] if not one.asks]
    agrees = any(cues.AGREES.match(one) or cues.SETTLES.match(one) for one in said)
    return agrees and any(cues.SETTLES.search(one) for one in said) and not any(cues.DOUBTS.search(one) for one in said)


def _clauses(turn: Turn) -> Iterator[tuple[int, int]]:
    """Where in the assistant's message the parts stand that bind, and what it was about to do."""
    for sentence in turn.heard:
        if sentence.asks:
            continue
        start = 0
        for end in (*(match.start() for match in _PART.finditer(sentence.text)), len(sentence.text)):
            piece = sentence.text[start:end]
            at = sentence.start + start + len(piece) - len(piece.lstrip())
            if _binds(piece.strip()) or (sentence.text == turn.proposed and piece == sentence.text):
                yield at, at + len(piece.strip())
            start = end


def _binds(piece: str) -> bool:
    said = cues.plain(piece)
    if len(piece) > _LONGEST or _LEANS.match(said) or cues.DOUBTS.search(said) or len(telling(piece)) < _SHORT:
        return False
    return any(sign.search(said) for sign in (cues.BINDS, cues.STRONG, cues.CHANGES, cues.LASTS))
