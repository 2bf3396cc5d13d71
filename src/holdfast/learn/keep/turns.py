"""Splits a conversation into turns: each message of the person with the assistant's messages it answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from holdfast.core.conversation import Message
from holdfast.core.frozen import frozen
from holdfast.learn.keep import cues
from holdfast.learn.keep.quotations import own_sentences
from holdfast.learn.keep.sentences import Sentence, content_words
from holdfast.learn.keep.sentences import sentences as split

# The assistant announces an action, or restates a decision.
_PROPOSES = cues.words(r"""
    i'll  i will  i'd  i would  i'm (?:going|planning) to  i plan to  i (?:propose|suggest|recommend|assume)  settled
    amended  my (?:default|instinct|plan|proposal|suggestion|recommendation|idea|assumption)  final  recap
    understood  got it
    (?:simplest|easiest|straightforward|obvious|natural) \w+  so the (?:rule|policy|plan|contract) is
    the (?:new )?(?:rule|policy|contract)  je (?:vais|propose|suggère|recommande|ferai)  compris  entendu
""")
# A question that leaves a choice to the person.
_CHOICE = cues.words(r"""
    should  shall  do you (?:want|prefer|need)  do (?:we|i)  does (?:it|the|that|this|everything)  want me  which
    how (?:many|much|should|does|do|long|often)  what's the  keep  or  prefer  confirm\w*  when  who  and if
    what (?:about|wording|shape|should|order|happens|format|value|limit|scope|name|time|day|date)
    would you (?:like|rather|prefer)
    faut-il  dois-je  doit-on  veux-tu  voulez-vous  préfères-tu  préférez-vous  quel(?:le)?s?  combien  ou
""")
# A question that only asks for information.
_CURIOSITY = cues.words(r"""
    did you  have you  are you (?:sure|seeing|using|running|on)  (?:can|could) you (?:give|share|show|tell|send)
    what (?:specifically|exactly) (?:are|were|is)  what (?:are|were) you  remember  is it still  were you  what caught
    does (?:it|that) (?:seem|make sense|help|sound)  what do you think  as-tu  avez-vous
""")
# The beginning of a message that is searched for names, and the end that is searched for questions, in characters.
_READ = 4_000
_END = 1_200
_NAME = re.compile(
    r"`([^`\s]{2,60})`"
    r"|(?<![\w/.])([A-Za-z]\w*(?:_\w+|\.py|\.\w+\(\))\w*|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+)"
)


@frozen(slots=False)
class TalkTurn:
    """A message of the person, the assistant's messages since the person's previous one, and the assistant's answer.

    `tools` says whether the assistant used tools before or after it.
    """

    message: Message
    before: tuple[Message, ...] = ()
    opening: bool = False
    answer: Message | None = None
    tools: bool = False

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the person's message."""
        return split(self.message.text)

    @cached_property
    def own_sentences(self) -> tuple[Sentence, ...]:
        """Those of the sentences that the person does not only quote, paste or ask about."""
        return own_sentences(self.message.text)

    @cached_property
    def assistant_sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the assistant's last message."""
        return split(self.before[-1].text) if self.before else ()

    @cached_property
    def answer_words(self) -> frozenset[str]:
        """The stems of the words of meaning at the beginning of the assistant's answer, where it restates."""
        return frozenset(content_words(self.answer.text[:_END])) if self.answer else frozenset()

    @cached_property
    def question(self) -> str:
        """The last question near the end of the assistant's message that leaves a choice; empty if there is none."""
        return next((s.text for s in reversed(self._end[-3:]) if s.asks and _is_choice(s.text)), "")

    @cached_property
    def closing_question(self) -> str:
        """The question with which the assistant's message ends; empty if it ends otherwise."""
        return next((s.text for s in self._end[-1:] if s.asks), "")

    @cached_property
    def proposal(self) -> str:
        """The last sentence in which the assistant announces what it will do; empty if there is none."""
        found = (s.text for s in reversed(self._end) if not s.asks and _PROPOSES.search(cues.plain(s.text)))
        return next(found, "")

    @cached_property
    def _end(self) -> tuple[Sentence, ...]:
        """The last sentences of the assistant's message, where questions and proposals are."""
        text = self.before[-1].text if self.before else ""
        if len(text) <= _END or "```" in text:
            return self.assistant_sentences
        return split(text[-_END:])[1:]


def _is_choice(question: str) -> bool:
    text = cues.plain(question)
    return _CHOICE.search(text) is not None and _CURIOSITY.search(text) is None


def split_into_turns(messages: Sequence[Message]) -> tuple[TalkTurn, ...]:
    """One turn for each message of the person; other roles than user and assistant are left out."""
    found: list[TalkTurn] = []
    before: list[Message] = []
    for message in messages:
        if message.role == "user":
            found.append(TalkTurn(message, tuple(before), not found, tools=any(one.tools for one in before)))
            before = []
        elif message.role == "assistant":
            if found and not before:
                found[-1] = replace(found[-1], answer=message)
            if found and message.tools:
                found[-1] = replace(found[-1], tools=True)
            before.append(message)
    return tuple(found)


def topic(turns: Sequence[TalkTurn]) -> str:
    """The name the person uses most, taken as the subject of the conversation; empty if they use none.

    Names in the first message count three times as much: people begin with their concern. What they pasted says nothing
    about it.
    """
    names: Counter[str] = Counter()
    for turn in turns:
        for name in _names("\n".join(sentence.text for sentence in turn.own_sentences)):
            names[name] += 6 if turn.opening else 2
    for turn in turns:
        names.update(_names(turn.before[-1].text) & names.keys() if turn.before else ())
    return max(names, key=lambda name: (names[name], name), default="")


def _names(text: str) -> set[str]:
    return {quoted or bare for quoted, bare in _NAME.findall(text[:_READ])}
