"""Finds rules and decisions that a person makes by an order, an answer, a correction or agreement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.sentences import Sentence, content_words
from holdfast.conversation.extract.turns import Turn
from holdfast.core.conversation import Message
from holdfast.core.frozen import frozen

# The weight from which a sentence is a ruling by itself, and the lower one in conversations that contain a ruling.
MIN_WEIGHT = 1.2
_MIN_WEIGHT_NEARBY = 0.4
# A sentence with fewer content words needs its neighbour to be understood.
_SHORT = 4
# Longer sentences are not meant to be remembered.
_LONGEST = 600
# A clause that shares more than this fraction of its words with a ruling repeats that ruling.
_REPEATED = 0.6
_CLAUSE = re.compile(r" - |: |; |, (?:but|and|so|then|mais|et|donc) |\. ")
_CLAUSE_END = re.compile(r"(?<=;)\s+|(?<=[.!?])\s+(?=[A-Z])")
# Two orders in one sentence are kept apart, because each may change alone.
_SECOND_ORDER = re.compile(
    r", (?:and|et) (?=(?:cap|limit|keep|use|drop|never|always|don't|do not|round|return|ignore|raise|reject|skip|treat"
    r"|allow|stop|garde[rz]?|utilise[rz]?)\b)"
)
_DEPENDENT = cues.beginning(
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
    "binds": 0.6, "strong": 0.6, "lasts": 1.2, "orders": 0.7, "orders inside": 0.4, "forbids": 0.6, "practice": 0.4,
    "remember": 1.3, "changes": 0.8, "refuses": 0.9, "contrasts": 0.6, "emphasis": 0.4, "chooses": 0.8, "answers": 0.4,
    "terse": 0.9, "agrees": 0.2, "single order": -0.6, "doubts": -1.0, "comments": -1.0, "past": -0.5,
    "describes": -0.5, "first person": -0.9, "item": -0.6,
}  # fmt: skip
_Weighed = tuple[float, frozenset[str]]


@frozen
class Ruling:
    """A rule or decision: the quoted words, the message they are from, and how clearly they are a ruling.

    `agreed` is the person's message when the words are the assistant's.
    """

    quote: str
    message: Message
    turn: Turn
    weight: float
    agreed: Message | None = None


def find_rulings(turns: Sequence[Turn]) -> tuple[Ruling, ...]:
    """The rulings of a conversation, in order.

    The whole conversation matters: if it contains a clear ruling, weaker sentences after the first message count too;
    if it contains none, a sentence needs the full weight.
    """
    weighed = [[_weigh(sentence, turn, place) for place, sentence in enumerate(turn.sentences)] for turn in turns]
    decides = any(weight >= MIN_WEIGHT for turn in weighed for weight, _ in turn)
    found: list[Ruling] = []
    for turn, weights in zip(turns, weighed, strict=True):
        least = _MIN_WEIGHT_NEARBY if decides and not turn.opening else MIN_WEIGHT
        found.extend(_rulings_of_turn(turn, weights, least))
        found.extend(_agreed(turn, found))
    return tuple(found)


def _weigh(sentence: Sentence, turn: Turn, place: int) -> _Weighed:
    """The weight of a sentence as a ruling, and the signs behind it. `place` is its position in the turn."""
    if sentence.asks or len(sentence.text) > _LONGEST:
        return 0.0, frozenset()
    text = cues.plain(sentence.text)
    signs = frozenset(name for name, present in _signs(text, sentence, turn, place) if present)
    return round(sum(_WEIGHTS[name] for name in signs), 3), signs


def _signs(text: str, sentence: Sentence, turn: Turn, place: int) -> Iterator[tuple[str, bool]]:
    answering = bool(turn.question or turn.proposal)
    head, *clauses = _CLAUSE.split(text)
    orders = cues.LASTING_ORDER.match(head) is not None
    yield "binds", cues.BINDS.search(text) is not None
    yield "strong", cues.STRONG.search(text) is not None
    yield "lasts", cues.LASTS.search(text) is not None
    yield "orders", orders
    yield "orders inside", not orders and any(cues.LASTING_ORDER.match(clause) for clause in clauses)
    yield "forbids", cues.FORBIDS.match(head) is not None
    yield "practice", any(cues.PRACTICE.match(clause) for clause in (head, *clauses))
    yield "remember", cues.REMEMBER.match(text) is not None
    yield "changes", cues.CHANGES.search(text) is not None
    yield "single order", not orders and cues.SINGLE_ORDER.match(head) is not None
    yield "refuses", answering and place == 0 and cues.REFUSES.match(text) is not None
    yield "contrasts", cues.CONTRASTS.search(text) is not None
    yield "emphasis", _EMPHASIS.search(sentence.text) is not None
    yield "chooses", bool(turn.question) and place < 2
    yield "answers", not turn.question and bool(turn.proposal) and place < 2
    yield "terse", bool(turn.question) and place == 0 and _is_terse(text)
    yield "agrees", answering and place == 0 and cues.AGREES.match(text) is not None
    yield "doubts", cues.DOUBTS.search(head) is not None
    yield "comments", cues.COMMENTS.match(text) is not None
    yield "past", cues.PAST.search(head) is not None
    yield "describes", cues.DESCRIBES.match(text) is not None
    yield "first person", _FIRST_PERSON.match(text) is not None
    yield "item", sentence.item


def _is_terse(text: str) -> bool:
    """Is this a choice in a few words, neither a bare yes nor a remark?"""
    bare = text.strip(" .!,")
    words = bare.split()
    if len(words) > _SHORT or (_DEPENDENT.match(text) and len(words) < 2):
        return False
    return not (cues.AGREES.match(bare) or bare.startswith(("that's", "it's", "this is", "thanks", "i ", "i'm")))


def _rulings_of_turn(turn: Turn, weights: Sequence[_Weighed], least: float) -> Iterator[Ruling]:
    for first, last in _groups(turn, weights, least):
        weight = max(weight for weight, _ in weights[first : last + 1])
        for begin, end in _split_orders(turn.message.text, turn.sentences[first].start, turn.sentences[last].end):
            yield Ruling(turn.message.text[begin:end], turn.message, turn, weight)


def _groups(turn: Turn, weights: Sequence[_Weighed], least: float) -> list[tuple[int, int]]:
    """The rulings of a turn as first and last sentence; a dependent sentence is joined to its neighbour."""
    groups: list[tuple[int, int]] = []
    for place, (weight, signs) in enumerate(weights):
        adjacent = bool(groups) and groups[-1][1] == place - 1
        if turn.sentences[place].asks or "comments" in signs or _only_confirms(turn, place):
            continue
        if adjacent and _continues(turn, groups[-1], place, weight, least):
            groups[-1] = (groups[-1][0], place)
        elif weight >= least and place and (_points_back(turn, place) or _introduces(turn, weights, place - 1)):
            groups.append((place - 1, place))
        elif weight >= least:
            groups.append((place, place))
    return [group for group in groups if group[0] != group[1] or not _is_empty(turn, weights, group[0])]


def _continues(turn: Turn, group: tuple[int, int], place: int, weight: float, least: float) -> bool:
    if weight >= 0 and (_is_short(turn, place) or _is_short(turn, *group)):
        return True
    return weight >= least and _points_back(turn, place)


def _is_short(turn: Turn, first: int, last: int | None = None) -> bool:
    sentences = turn.sentences[first : (first if last is None else last) + 1]
    return sum(len(content_words(sentence.text)) for sentence in sentences) < _SHORT


def _only_confirms(turn: Turn, place: int) -> bool:
    """Does the sentence only confirm the assistant's words, as `That's the rule going forward` does?"""
    return cues.SETTLES.match(cues.plain(turn.sentences[place].text)) is not None


def _points_back(turn: Turn, place: int) -> bool:
    if not place or turn.sentences[place - 1].asks:
        return False
    return _POINTS_BACK.match(cues.plain(turn.sentences[place].text)) is not None


def _introduces(turn: Turn, weights: Sequence[_Weighed], place: int) -> bool:
    """Is this a short refusal or choice that the next sentence explains?"""
    weight, signs = weights[place]
    answers = bool(signs & {"refuses", "chooses", "answers"}) and "comments" not in signs
    return answers and weight > 0 and _is_short(turn, place)


def _is_empty(turn: Turn, weights: Sequence[_Weighed], place: int) -> bool:
    return not content_words(turn.sentences[place].text) and "terse" not in weights[place][1]


def _split_orders(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Splits a sentence with two orders into two rulings, so that one can change without the other."""
    joint = _SECOND_ORDER.search(text, begin, end)
    if joint is None or not (content_words(text[begin : joint.start()]) and content_words(text[joint.end() : end])):
        yield begin, end
        return
    yield begin, joint.start()
    yield joint.end(), end


def _agreed(turn: Turn, before: Sequence[Ruling]) -> Iterator[Ruling]:
    """Rules of the assistant that the person agreed to, unless the person stated them before."""
    if not (turn.proposal and turn.sentences and _settles(turn)):
        return
    known = [set(content_words(ruling.quote)) for ruling in before]
    message = turn.before[-1]
    for begin, end in _binding_clauses(turn):
        quote = message.text[begin:end]
        words = set(content_words(quote))
        if not words or any(len(words & other) > _REPEATED * len(words) for other in known):
            continue
        known.append(words)
        yield Ruling(quote, message, turn, MIN_WEIGHT, turn.message)


def _settles(turn: Turn) -> bool:
    texts = [cues.plain(sentence.text) for sentence in turn.sentences[:2] if not sentence.asks]
    agrees = any(cues.AGREES.match(text) or cues.SETTLES.match(text) for text in texts)
    settles = any(cues.SETTLES.search(text) for text in texts)
    return agrees and settles and not any(cues.DOUBTS.search(text) for text in texts)


def _binding_clauses(turn: Turn) -> Iterator[tuple[int, int]]:
    """The start and end of the binding clauses in the assistant's message, and of its proposal."""
    for sentence in turn.assistant_sentences:
        if sentence.asks:
            continue
        start = 0
        for end in (*(match.start() for match in _CLAUSE_END.finditer(sentence.text)), len(sentence.text)):
            clause = sentence.text[start:end]
            at = sentence.start + start + len(clause) - len(clause.lstrip())
            if _binds(clause.strip()) or (sentence.text == turn.proposal and clause == sentence.text):
                yield at, at + len(clause.strip())
            start = end


def _binds(clause: str) -> bool:
    text = cues.plain(clause)
    if len(clause) > _LONGEST or len(content_words(clause)) < _SHORT:
        return False
    if _DEPENDENT.match(text) or cues.DOUBTS.search(text):
        return False
    return any(sign.search(text) for sign in (cues.BINDS, cues.STRONG, cues.CHANGES, cues.LASTS))
