"""A conversation as one who listens hears it: who said what in answer to what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.sentences import Sentence, sentences
from holdfast.core.conversation import Message

# The assistant is about to act, or says how it understood what was decided.
_PROPOSES = cues.words(r"""
    i'll  i will  i'd  i would  i'm (?:going|planning) to  i plan to  i (?:propose|suggest|assume)  settled  amended
    my (?:default|instinct|plan|proposal|suggestion|idea|assumption)  final  recap  understood  got it
    (?:simplest|easiest|straightforward|obvious|natural) \w+  so the (?:rule|policy|plan|contract) is
    the (?:new )?(?:rule|policy|contract)  je (?:vais|propose|suggère|ferai)  compris  entendu
""")
# A question that leaves a choice to the person.
_CHOICE = cues.words(r"""
    should  shall  do you (?:want|prefer|need)  do (?:we|i)  does (?:it|the|that|this|everything)  want me  which
    how (?:many|much|should|does|do|long|often)  what's the  keep  or  prefer  confirm\w*  when  who  and if
    what (?:about|wording|shape|should|order|happens|format|value|limit|scope|name|time|day|date)
    would you (?:like|rather|prefer)
    faut-il  dois-je  doit-on  veux-tu  voulez-vous  préfères-tu  préférez-vous  quel(?:le)?s?  combien  ou
""")
# A question that only wants to know.
_CURIOSITY = cues.words(r"""
    did you  have you  are you (?:sure|seeing|using|running|on)  (?:can|could) you (?:give|share|show|tell|send)
    what (?:specifically|exactly) (?:are|were|is)  what (?:are|were) you  remember  is it still  were you  what caught
    does (?:it|that) (?:seem|make sense|help|sound)  what do you think  as-tu  avez-vous
""")
_READ = 4_000
_END = 1_200
_NAME = re.compile(
    r"`([^`\s]{2,60})`"
    r"|(?<![\w/.])([A-Za-z]\w*(?:_\w+|\.py|\.\w+\(\))\w*|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+)"
)


@dataclass(frozen=True)
class Turn:
    """What a person said, and the words of the assistant that it answers, if any."""

    message: Message
    before: tuple[Message, ...] = ()
    opening: bool = False

    @cached_property
    def said(self) -> tuple[Sentence, ...]:
        return sentences(self.message.text)

    @cached_property
    def heard(self) -> tuple[Sentence, ...]:
        """The sentences of the last thing that the assistant said."""
        return sentences(self.before[-1].text) if self.before else ()

    @cached_property
    def asked(self) -> str:
        """The choice that the assistant left to the person at the end, the last if there are more; else nothing."""
        return next((one.text for one in reversed(self._end[-3:]) if one.asks and _is_choice(one.text)), "")

    @cached_property
    def proposed(self) -> str:
        """What the assistant was about to do, or an empty text: the last sentence that says so."""
        said = (one.text for one in reversed(self._end) if not one.asks and _PROPOSES.search(cues.plain(one.text)))
        return next(said, "")

    @cached_property
    def _end(self) -> tuple[Sentence, ...]:
        """The last sentences of what was heard: whoever asks or proposes does so at the end."""
        text = self.before[-1].text if self.before else ""
        if len(text) <= _END or "```" in text:
            return self.heard
        return sentences(text[-_END:])[1:]


def _is_choice(question: str) -> bool:
    said = cues.plain(question)
    return _CHOICE.search(said) is not None and _CURIOSITY.search(said) is None


def turns(messages: Sequence[Message]) -> tuple[Turn, ...]:
    """The turns of people, each with what the assistant said since the turn before."""
    found: list[Turn] = []
    heard: list[Message] = []
    for message in messages:
        if message.role == "user":
            found.append(Turn(message, tuple(heard), not found))
            heard = []
        elif message.role == "assistant":
            heard.append(message)
    return tuple(found)


def topic(talk: Sequence[Turn]) -> str:
    """The name that the conversation is about: of those that the person used, the one used most; else nothing.

    What they open with counts more: there they say what they came for.
    """
    names: Counter[str] = Counter()
    for turn in talk:
        for name in _names(turn.message.text):
            names[name] += 6 if turn.opening else 2
    for turn in talk:
        names.update(_names(turn.before[-1].text) & names.keys() if turn.before else ())
    return max(names, key=lambda name: (names[name], name), default="")


def _names(text: str) -> set[str]:
    return {quoted or bare for quoted, bare in _NAME.findall(text[:_READ])}
