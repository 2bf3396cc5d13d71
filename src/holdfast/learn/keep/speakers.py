"""Finds who speaks in the transcript of a talk between people, whose messages begin with a name: `Ana: I agree.`"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.core.conversation import Message

_WORD = r"(?:[^\W\d_a-z][\w.'’-]*|[A-Z]|de|du|von|van|la|le|of)"
_NAME = re.compile(rf"({_WORD}(?: {_WORD}){{0,5}}(?: \([^()\n]{{1,60}}\))?) ?: +(?=\S)")
# Words that open a message before a colon and are nobody's name.
_LABELS = frozenset(
    """note notes todo update correction question answer rule decision summary context goal problem issue bug fix
    warning error result output example task plan idea step ps fyi edit important reminder request subject title status
    expected actual steps input response prompt system user assistant human ai url http https
    règle décision résumé problème erreur question réponse exemple tâche rappel remarque""".split()
)
# The share of the messages that begin with a name in a transcript of a talk.
_MOST = 0.8
_OF_SPEAKER = re.compile(
    r"(?<![\w'])(?:i|i'm|i've|i'll|i'd|my|mine|me|myself|we|we're|we've|we'll|we'd|our|ours|us|you|you're|you'll|your"
    r"|je|j'\w+|mon|ma|mes|moi|nous|notre|nos|tu|vous|votre|vos|ton|ta|tes)(?![\w'])",
    re.IGNORECASE,
)
_OF_GROUP = re.compile(
    rf"{_NAME.pattern}(?=(?i:(?:from now on,? |désormais,? |no longer: )?(?:we|we're|we've|we'll|our|let's|nous"
    rf"|notre|nos|on)\b))"
)


def by_speaker(messages: Sequence[Message]) -> tuple[tuple[Message, ...], Mapping[str, str]]:
    """The messages without the names of their speakers, and these names by message id.

    Names are recognised only where several people speak and nearly every message of a person begins with one.
    """
    own = [message for message in messages if message.role == "user"]
    found = {message.id: name for message in own if (name := _NAME.match(message.text)) and _is_name(name[1])}
    names = {id: name[1] for id, name in found.items()}
    if len(found) < _MOST * len(own) or len(set(names.values())) <= 1:
        return tuple(messages), {}
    return tuple(replace(m, text=m.text[found[m.id].end() :]) if m.id in found else m for m in messages), names


def attributed(line: str, speaker: str) -> str:
    """The line after the name of its speaker, if it says `I`, `we` or `you`: in a talk nobody would know who that
    is."""
    return f"{speaker}: {line}" if speaker and _OF_SPEAKER.search(line) else line


def unattributed(line: str) -> str:
    """A line about a group without the name of its speaker: any member may change what `we` do."""
    found = _OF_GROUP.match(line)
    return line[found.end() :] if found else line


def have_other_speakers(line: str, other: str) -> bool:
    """Are both lines attributed, to two people?"""
    names = [_NAME.match(unattributed(text)) for text in (line, other)]
    return names[0] is not None and names[1] is not None and names[0][1] != names[1][1]


def _is_name(text: str) -> bool:
    return text.lower() not in _LABELS
