"""Recognises orders that last: how an assistant should work from now on, and what it should remember.

Their words say so themselves (`always`, `never again`, `from now on`, `remember that`), so they are kept although most
orders to an agent at work are about one task. They match text that was normalised by `cues.plain`.
"""

from __future__ import annotations

import re

from holdfast.learn.keep import cues
from holdfast.learn.keep.sentences import content_words

# An order with fewer words of content says nothing by itself: `never again`.
_FEW = 2
# After `always` or `never` these are no orders: a state (`always on`), a report (`never seen`), a description of what a
# thing does (`always returns`), a feeling (`always love that`).
_NO_ORDER = re.sub(
    r"\s",
    "",
    r"""
    (?!\w+(?:ed|ing|[^\Wsu]s)\b)
    (?!(?:a|an|the|this|that|these|those|my|your|our|on|in|at|to|for|of|with|too|so|as|not|quite|really|very|just|only
    |good|great|nice|fun|true|false|right|wrong|same|happy|sure|ready|up|down|available|visible|possible|easy|hard
    |been|had|seen|heard|knew|known|thought|understood|got|gotten|found|made|met|won|lost|came|went|gone|done|said|told
    |wrote|written|mind|know|knows|is|are|was|were|i|you|he|she|it|we|they|there|will|would|can|could|should|might|one
    |love|hate|like|enjoy|feel|wonder|forget|struggle|hope|wish|end|get|if|when|more|less|better|worse|late|enough
    )\b)
""",
)
_OPENING = cues.choices(r"""
    please  and  also  but  so  just  ok(?:ay)?  yes  no  oh  well  hey  remember to  make sure(?: to)?  be sure to
    (?:you|we) (?:should|must|need to|have to)  i (?:want|need|expect|would like) you to  i'd like you to
    (?:basically|in general|generally)  for this (?:project|repo(?:sitory)?)  in this (?:project|repo(?:sitory)?)
    s'il te plaît  et  mais  aussi  tu dois  vous devez  il faut  je veux que tu
""")
# `toujours lancer`, `lance toujours`, `ne pousse jamais`, `n'utilise plus jamais`, `ne jamais pousser`.
_FRENCH = r"""
    toujours \w+(?:er|ir|re|ez)  pense[rz]? toujours à
    (?!\w+(?:ait|aient|é)\b)\w{3,20}(?:e|ez|s) toujours (?:les?|la|l'|un|une|des|en|à|avec|d')
    n(?:e |')(?!(?:est|ai|a|as|ont|avons|avez|ai)\b)\w+(?:e|ez|s) (?:plus )?jamais(?! (?:été|vu|eu)\b)
    ne (?:plus )?jamais \w+(?:er|ir|re)  jamais (?:de|d')
"""
_ALWAYS = cues.beginning(
    _OPENING,
    rf"""
    (?:always|never(?: ever)?(?: again)?){r" "}{_NO_ORDER}\w+  (?:don't|do not)(?: you)? ever{r" "}{_NO_ORDER}\w+
    i (?:basically |really )?(?:always|never|don't ever) (?:want|need)  i want you to (?:always|never)
    {_FRENCH}
    """,
)
# `Whenever you change X, run Y`; `before every commit, ask me`.
_EVERY_TIME = re.compile(
    r"(?:whenever|every time|each time|any ?time) (?:you|we|i) [^,]{3,80}, (?P<order>.+)"
    r"|(?:before|after) (?:every|each|any) [^,]{3,60}, (?P<then>.+)"
    r"|(?:à chaque fois que|chaque fois que) (?:tu|vous|on|je) [^,]{3,80}, (?P<ordre>.+)"
    r"|(?:avant|après) chaque [^,]{3,60}, (?P<alors>.+)"
)
# From when on it holds, at either end.
_FROM_NOW_ON = (
    r"(?:from (?:now|here|today) on|going forward|henceforth|in (?:the )?future|next time|for (?:all )?future \w+"
    r"|à partir de maintenant|désormais|dorénavant|à l'avenir|la prochaine fois)"
)
_BEGINS = re.compile(rf"(?:(?:{_OPENING}),? )?{_FROM_NOW_ON}\b,? (?P<rest>.+)")
_ENDS = re.compile(rf"(?P<rest>.{{3,300}}?),? {_FROM_NOW_ON}[.!]*$")
# What lasts after such words is an order, or what somebody should or will do.
_TOLD = cues.beginning(
    "please  just  also  only",
    r"""
    (?:you|we)(?:'ll| will| should| shouldn't| must| mustn't| need to| have to| always| never| only| don't| do not)
    you (?:are to|can't|cannot)  i (?:want|expect|need|don't want|prefer|would like)  i'd (?:like|prefer)
    (?:always|never|no more|ask me|tell me|let me know)  on (?:ne|utilise|évite|garde|fait)  (?:tu|vous) (?:dois|devez)
    """,
)
_DESCRIBES = re.compile(
    r"(?:it|its|they|them|he|she|there|this|that|these|those|the|an?|my|our|your|i|you|we|what|which|if|when|as|some"
    r"|not|il|elle|ils|elles|le|la|les|un|une|ce|ça|mon|ma|notre)\b"
)
_PAST = re.compile(r"\w+(?:ed|ing)\b")
# A direct order to remember. `Remember that time …` only reminds.
# A name begins with a capital: `call me when it is done` is no name.
_CALL_ME = re.compile(
    r"(?:(?i:please|just|and|also|but|you can|you may|oh|s'il te plaît),? )*(?i:call me|appelle[rz]?[- ]moi)"
    r" [\"“«]? ?[A-ZÀ-Ý][\w'’-]+"
)
_COMMAND = re.compile(r"(?:/remember|#)\s")
_REMEMBER = re.compile(
    r"(?:(?:please|and|also|so|ok(?:ay)?|oh|hey|s'il te plaît),? )*"
    r"(?:(?:remember|memori[sz]e|don't forget|do not forget|never forget|keep in mind|bear in mind)"
    r"(?:(?: this)?:|,? that\b(?! (?:time|day|one|guy|movie|film|episode|scene|song|thing|when|night|week|year|is|was"
    r"|part|conversation|chat|for|we (?:talked|spoke|discussed|did))\b))"
    r"|(?:retiens|retenez|mémorise[rz]?|souviens-toi|souvenez-vous|rappelle-toi|n'oublie[sz]? (?:pas|jamais))"
    r"(?: ?:|,? qu(?:e\b|'))"
    r"|(?:add|save|write|put) (?:this |that |it )?(?:to|in|into) (?:your |the )?memory:)"
)


def is_standing(text: str) -> bool:
    """Does a sentence tell an assistant how to work from now on, and not just in the task at hand?"""
    plain = cues.plain(text).strip("\"'“”‘ ")
    if text.rstrip("\"'”’)* ").endswith("?") or len(content_words(plain)) < _FEW:
        return False
    if _ALWAYS.match(plain):
        return True
    if (every := _EVERY_TIME.match(plain)) is not None:
        return _may_be_order(next(filter(None, every.groups())))
    begins, ends = _BEGINS.match(plain), _ENDS.match(plain)
    return (begins is not None and _may_be_order(begins["rest"])) or (ends is not None and _is_order(ends["rest"]))


def asks_for_name(text: str) -> bool:
    """Does a person say how they want to be called: `call me Sam`?"""
    return _CALL_ME.match(text) is not None


def is_command_to_remember(text: str) -> bool:
    """Does it begin like an order to a program to remember what follows: `/remember …`, or `# …` in one line?"""
    return _COMMAND.match(text.lower()) is not None


def to_remember(text: str) -> str:
    """What follows an order in words to remember it, at the beginning of a sentence; empty if there is none."""
    found = _REMEMBER.match(plain := cues.plain(text))
    told = found is not None and not text.rstrip().endswith("?") and len(content_words(text)) >= _FEW
    return plain[found.end() :].strip() if found and told else ""


def _is_order(clause: str) -> bool:
    """Does a clause say what to do, in usual words?"""
    told = (_TOLD, cues.LASTING_ORDER, cues.FORBIDS, cues.SINGLE_ORDER)
    return cues.DOUBTS.search(clause) is None and any(sign.match(clause) for sign in told)


def _may_be_order(clause: str) -> bool:
    """Does a clause say what to do, or begin with a word that may be a verb for it?"""
    describes = _DESCRIBES.match(clause) or _PAST.match(clause) or cues.DOUBTS.search(clause)
    return _is_order(clause) or not describes
