"""Finds changes of mind in a conversation: corrections, replacements and withdrawals of what was said before.

A correction is often incomplete: `no, Thursday` takes its subject from the question or statement before it. Such a
sentence becomes a statement of its own, with the new value in the place of the old one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property

from holdfast.core.conversation import Learned, Message
from holdfast.core.frozen import frozen
from holdfast.learn.changes.bare_corrections import BareCorrection, bare_correction
from holdfast.learn.keep.passing import is_bare_choice
from holdfast.learn.keep.questions import ASKING
from holdfast.learn.keep.quotations import own_sentences
from holdfast.learn.keep.review_comments import is_review_comment
from holdfast.learn.keep.self_contained import is_understandable, without_lead_in, without_open_clause
from holdfast.learn.keep.sentences import Sentence, sentences
from holdfast.learn.keep.speakers import attributed, by_speaker
from holdfast.learn.keep.spoken import is_halting
from holdfast.statements import compare
from holdfast.statements.alignment import Unit, content_keys, units_of
from holdfast.statements.change_words import EVENTS
from holdfast.statements.corrections import lead_in, outdated
from holdfast.statements.parsing import Statement, read
from holdfast.text.announcements import lasting

_CONFIDENCE = 0.65
# The number of sentences before a correction among which its subject is looked for, and its maximum length.
_REACH = 16
_ANSWER = 3  # the number of sentences before a bare value that say what it is about
_REACH_IN_TALK = 3  # the same in a talk between people
_MAX_CHARACTERS = 300
_END = 600  # number of characters at the end of the assistant's message that are read
_MAX_ANNOUNCEMENT = 24  # maximum number of words of a change whose words say little
_COVERED = 0.8  # a learned statement is the same as a change if the change quotes this share of it
_WITHDRAWN = re.compile(
    r"(?:please )?(?:scrap|scratch|forget|drop|cancel|ignore|disregard|never mind|nevermind|laisse(?:z)? tomber|"
    r"oublie[zr]?|annule[zr]?|je retire|i take back|i retract)\b(?P<what>[^,.!?;]*)",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\s*(?:that|this|it|what i (?:said|told you)|ce que j'ai dit|ça|cela)?\s*(?:thing|rule|idea|part|bit)?\s*"
    r"(?:about|on|regarding|sur|à propos d[eu'])?\s*",
    re.IGNORECASE,
)
# Finds where somebody lived before they moved, and what was planned before it was dropped.
_WHERE = "I live in / j'habite à"
_PLANNED = "we are switching, moving, migrating to / on passe à"
_PERSONAL = frozenset("i i'm i've i'll my me je j' mon ma mes".split())


@frozen
class Change:
    """A statement that changes an earlier one. `certain` is False if only a known memory can show that it does.

    `bare` is set if it only names a new value and nothing that the person said before in the conversation has the old
    one, so that a memory may be meant. `alone` is False if only a memory, and no message, shows what it changes.
    """

    learned: Learned
    certain: bool
    bare: BareCorrection | None = None
    alone: bool = True


@frozen
class _Found:
    """The statement that holds now, the earlier statement it changes, and whether it certainly changes one."""

    text: str
    old: str
    certain: bool
    bare: BareCorrection | None = None


@frozen(slots=False)
class _Said:
    """A sentence of a message."""

    sentence: Sentence
    message: Message

    @property
    def text(self) -> str:
        return self.sentence.text

    @cached_property
    def parsed(self) -> Statement:
        return read(self.sentence.text)

    @cached_property
    def states(self) -> bool:
        """Does the person state it, rather than ask, suppose or report somebody else's opinion?"""
        if self.message.role != "user" or self.sentence.asks or self.parsed.unsure:
            return False
        return not is_review_comment(self.message.text, self.sentence.start, self.sentence.end)


def find_changes(messages: Sequence[Message], known: int = 0) -> tuple[Change, ...]:
    """The statements of the person that change an earlier statement of the conversation, or say that they do.

    Those of the first messages, as many as are `known`, are left out.
    """
    new = {message.id for message in messages[known:]}
    messages, speakers = by_speaker(messages)
    said = [_Said(_stated_clause(sentence), message) for message in messages for sentence in _sentences(message)]
    return tuple(_changes([one for one in said if len(one.text) <= _MAX_CHARACTERS], speakers, new))


def _sentences(message: Message) -> tuple[Sentence, ...]:
    """The person's own sentences of a message; of the assistant's only the end, where its questions are."""
    if message.role == "user":
        return own_sentences(message.text)
    if len(message.text) <= _END:
        return sentences(message.text)
    return sentences(message.text[-_END:])[1:]


def _stated_clause(sentence: Sentence) -> Sentence:
    """What a question says before it asks: `I just moved to Ghent` in `I just moved to Ghent, any tips?`"""
    if not sentence.asks or "," not in sentence.text:
        return sentence
    clause = sentence.text.rpartition(",")[0].rstrip()
    statement = read(clause)
    states = statement.change.kinds & EVENTS and not statement.unsure and not ASKING.match(clause)
    return replace(sentence, text=f"{clause}.", end=sentence.start + len(clause)) if states else sentence


def with_changes(learned: Sequence[Learned], changes: Iterable[Learned]) -> tuple[Learned, ...]:
    """Adds changes to learned statements. A statement that was learned already keeps its type, with the new text."""
    found = list(learned)
    for change in changes:
        place = next((n for n, other in enumerate(found) if _is_same(change, other)), None)
        if place is None:
            found.append(change)
        elif len(change.quote) >= _COVERED * len(found[place].quote):
            known = found[place].text
            text = known if change.text.casefold() in known.casefold() else change.text
            found[place] = replace(found[place], text=text, amends=True, changes=change.changes, read=change.read)
    return tuple(found)


def _changes(said: Sequence[_Said], speakers: Mapping[str, str], new: Set[str]) -> Iterator[Change]:
    for place, one in enumerate(said):
        if one.message.id not in new or not one.states:
            continue
        before = said[max(0, place - _REACH) : place]
        found = _change(one, before[-_REACH_IN_TALK:] if speakers else before, bool(speakers))
        if not found or is_halting(one.text) or _only_chooses(found, one):
            continue
        line = _understandable(found, before, one, one.message.id in speakers)
        if speakers and not line:
            continue
        # People who talk to each other say `from now on` and `anymore` of the moment.
        certain = bool(line) and found.certain and not (speakers and not found.old)
        text = line or (one.text if found.bare else found.text)
        learned = _learned(replace(found, text=text), one, speakers.get(one.message.id, ""))
        yield Change(learned, certain, found.bare, bool(line) and not speakers)


def _only_chooses(found: _Found, said: _Said) -> bool:
    """Is it `let's go with option 1`, which corrects no value? Any later choice would seem to change it."""
    return not (found.old or found.bare) and is_bare_choice(said.text)


def _understandable(found: _Found, before: Sequence[_Said], said: _Said, alone: bool) -> str:
    """The statement that holds now; if nobody would understand it alone, after the one it changes, or after the
    sentence before it: `The backup collides with the index rebuild. — Have it run at 04:40 from now on.` Else empty.

    `alone`: somebody else may have said the one it changes.
    """
    text = without_lead_in(found.text)
    follows = found.certain and not (alone or found.bare)
    earlier = [other.text for other in before[-1:] if other.states and other.message is said.message]
    contexts = [without_lead_in(context) for context in (found.old, *earlier) if context and follows]
    lines = (text, *(f"{context} — {text}" for context in contexts))
    return next((line for line in lines if line and is_understandable(line)), without_open_clause(text))


def _change(said: _Said, before: Sequence[_Said], between_people: bool) -> _Found | None:
    """The statement that holds after this sentence, if it may change something."""
    lead = lead_in(said.text)
    if not lead.rest.strip():
        return None
    own = [other for other in before if other.states]
    if withdrawn := _WITHDRAWN.match(lead.rest):
        after = lead.rest[withdrawn.end() :].strip(" ,;")
        return None if between_people else _withdrawal(withdrawn["what"], after, own, said)
    interrupted = bool(before) and before[-1].message is said.message and _only_corrects(before[-1].text)
    corrects = interrupted or lead.corrects
    bare = bare_correction(lead.rest, corrects)
    if bare is None or (between_people and not _is_measure(bare.value)):
        return None if bare else _statement(lead.rest, own, corrects)
    found = _corrected(bare, said, before)
    return found or (_statement(lead.rest, own, corrects) if "," in lead.rest else None)


def _is_measure(value: Unit) -> bool:
    return value.family in ("amount", "time") and value.kind not in ("count", "number", "id")


def _statement(text: str, own: Sequence[_Said], corrects: bool) -> _Found | None:
    """A whole statement that replaces an earlier one of the person, or that may replace a memory."""
    kinds = read(text).change.kinds
    old = next((other.text for other in reversed(own) if _replaces(text, other)), "") if corrects else ""
    if old or lasting(text):
        return _Found(_tidy(text), old, True)
    # Each of these costs a search for what it may change, so only a short one is looked up if its words say little.
    weak = kinds & {"now", "becomes", "ends"} or (kinds & {"starts", "life", "progress"} and _is_personal(text))
    if corrects or kinds & {"denied", "gone", "stay"} or (weak and _is_short(text)):
        return _Found(_tidy(text), _WHERE if "moves" in kinds else _PLANNED if "stay" in kinds else "", False)
    return None


def _is_personal(text: str) -> bool:
    return read(text).personal


def _is_short(text: str) -> bool:
    return len(read(text).tokens) <= _MAX_ANNOUNCEMENT and "`" not in text


def _only_corrects(text: str) -> bool:
    """Is it a correction without content, such as `Hmm wait.`?"""
    lead = lead_in(text)
    return lead.corrects and not lead.rest


def _replaces(text: str, other: _Said) -> bool:
    """Does a correction replace an earlier sentence?"""
    return compare(text, other.text, corrects=True).kind == "update"


def _withdrawal(what: str, after: str, own: Sequence[_Said], said: _Said) -> _Found | None:
    """The withdrawn statement, marked as such. If it is not among the person's own, a memory may contain it.

    `after` are the words after the withdrawal; they say what holds instead, or why: `forget yarn, it's pnpm now`.
    """
    lead = _ABOUT.match(what)
    about = content_keys(read(what[lead.end() if lead else 0 :]))
    candidates = [other for other in own if about <= content_keys(other.parsed)] if about else own[-1:]
    if not candidates:
        return _Found(_tidy(said.text), "", False) if about else None
    old = candidates[-1]
    if not is_understandable(without_lead_in(old.text)):
        return None
    line = f"Plus valable : {old.text}" if old.parsed.french else f"No longer: {old.text}"
    return _Found(f"{line} — {after}" if any(map(str.isalnum, after)) else line, old.text, True)


def _corrected(bare: BareCorrection, said: _Said, before: Sequence[_Said]) -> _Found | None:
    """The last statement before a bare value that has a value of its kind, with the new one in its place.

    If the person stated that value, their words are used, not the assistant's question. If they did not, a memory may
    have been meant.
    """
    other = next((other for other in reversed(before) if bare.applied_to(other.text)), None)
    if other is not None:
        old = outdated(bare.value, other.parsed) or bare.denied
        stated = (s for s in reversed(before) if s.states and old in [unit.text for unit in units_of(s.parsed)])
        own = other if other.states else next(stated, None)
        if own is not None:
            corrected = bare.applied_to(own.text, old)
            return _Found(_tidy(corrected), own.text, True) if corrected else None
    about = _about(said, before)
    if other is None and not about:
        return None
    line = _answered(bare, said, other, before) if other else ""
    return _Found(_tidy(line), other.text if other else "", bool(line), replace(bare, about=about))


def _answered(bare: BareCorrection, said: _Said, other: _Said, before: Sequence[_Said]) -> str:
    """The assistant's statement with the new value; after the question if nobody would understand it alone."""
    if other.sentence.asks:
        return f"{other.text} — {said.text}"
    line = bare.applied_to(other.text)
    question = next((one.text for one in reversed(before[-_ANSWER:]) if one.sentence.asks), "")
    return f"{question} — {line}" if question and not is_understandable(line) else line


def _about(said: _Said, before: Sequence[_Said]) -> str:
    """What the assistant said just before, and the question that it answered."""
    answer = [other for other in before if other.message is not said.message][-_ANSWER:]
    if not any(other.message.role == "assistant" for other in answer[-1:]):
        return ""
    return " ".join(other.text for other in answer if other.message.role == "assistant" or other.sentence.asks)


def _is_same(change: Learned, other: Learned) -> bool:
    quoted = change.quote in other.quote or other.quote in change.quote
    return quoted and change.evidence[-1] in other.evidence


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _learned(found: _Found, said: _Said, speaker: str) -> Learned:
    personal = any(token.word in _PERSONAL for token in read(found.text).tokens)
    return Learned(
        text=attributed(found.text, speaker),
        type="fact" if personal else "decision",
        evidence=(said.message.id,),
        quote=said.text,
        confidence=_CONFIDENCE,
        subject=(speaker or "user") if personal else "",
        amends=True,
        changes=found.old,
    )
