"""Recognises proposals of an assistant, and cleans them of their opening.

Once a person agrees, `I'd use Redis for the cache` and `Should I use Redis for the cache?` say the same: `Use Redis for
the cache`. A proposal of a single step (`Want me to run the tests?`) settles nothing.
"""

from __future__ import annotations

import re

from holdfast.learn.keep import cues
from holdfast.learn.keep.one_off_orders import begins_like_one_off
from holdfast.learn.keep.references import points_back

_FIRST_PERSON = (
    r"i(?:'d|’d|'ll|’ll| would| will)(?! (?:like|love|rather|say|expect|guess|be|have|need|check|look|do)\b)"
    r"|i(?:'m|’m| am) going to"
)
# How an assistant introduces a proposal: once it is accepted, what follows is settled.
_PROPOSES = re.compile(
    r"je (?:propose|suggère|recommande) d['’]"
    r"|(?:i(?:'d|’d| would)? (?:suggest|propose|recommend)(?: that)?(?: (?:we|you)(?: should)?| to)?"
    r"|(?:my|the) (?:suggestion|proposal|recommendation|plan)(?: is| would be)?:?(?: that we| to)?"
    rf"|(?P<will>{_FIRST_PERSON})"
    r"|je (?:propose|suggère|recommande)(?: que (?:nous|l'on|on)| de)?) (?=\w)",
    re.IGNORECASE,
)
# A question that a person answers with yes.
_ASKS = re.compile(
    r"(?:(?:so|then|and|also|ok(?:ay)?|alors|donc|et),? )*(?:"
    r"(?:should|shall|can|could|may) (?:i|we) (?:(?:then|just|also) )?"
    r"|(?:do you |would you )?(?:want|like|prefer) (?:me|us) to "
    r"|(?:is it |would it be )?(?:ok(?:ay)?|fine) (?:to |for (?:me|us) to |if (?:i|we) )"
    r"|(?:dois-je|doit-on|puis-je|peut-on|faut-il|devrais-je|devrait-on) "
    r"|(?:veux-tu|voulez-vous|tu veux) qu(?:e (?:je |j['’]|nous |l'on |on )|['’]on )"
    r")(?=\w)",
    re.IGNORECASE,
)
_CHOICE = cues.words("or  ou")
# What was announced or proposed before is meant: `Should I go ahead?`, `Shall we go with that?`
_GO_AHEAD = re.compile(
    r"(?:go ahead|proceed|continue|go on|carry on|start|begin|do (?:it|that|this|so)"
    r"|(?:implement|apply|make|use|take|keep|adopt|choose|pick|go with|stick (?:with|to)|settle on)"
    r" (?:it|this|that|these|those)"
    r"|y aller|le faire|continuer|commencer|partir (?:là-dessus|sur (?:ça|cela))"
    r"|(?:garder|prendre|faire) (?:ça|cela))\b"
)
# What is proposed lasts if it begins like that: with how something is, not with a step of the work.
_LASTS = cues.beginning(
    "then  just  also  simply",
    r"""
    always  never  only  use  keep  store  save  name  call  treat  limit  cap  round  default  prefer  require  enforce
    avoid  ignore  skip  support  stick  go with  switch  standardi[sz]e  adopt  target  return  raise  reject  accept
    allow  forbid  sort  order  validate  retry  pin  hide  count  cache  enable  disable  set  assume  sign  encrypt
    exclude  include  follow  version  restrict  clamp  truncate  strip  trim  escape  drop  have  deploy  host
    write  log  respect  preserve  retain  apply  do all  be  not
    toujours  jamais  utilise[rz]?  garde[rz]?  conserve[rz]?  stocke[rz]?  nomme[rz]?  limite[rz]?  arrondi[rst]\w*
    préfère[rz]?  préférer  évite[rz]?  ignore[rz]?  refuse[rz]?  accepte[rz]?  passe[rz]? à  reste[rz]? sur
    appelle[rz]?
    """,
)
_NOW = cues.words(r"now  right away  first  next  for now  quickly  maintenant  d'abord  tout de suite")
# Words between an assistant and a person about the talk itself.
_OF_THE_TALK = cues.words(r"""
    your call  up to you  say (?:go|yes|so|the word)  if you (?:approve|agree|want|prefer|like|confirm|wish)
    let me know  tell me  want me  as you (?:asked|said|requested|wish)  you (?:asked|mentioned|confirmed)
    this (?:pr|commit|session|branch|task|turn|message|plan|phase|step)  i'll  i will  i'd  i would  i'm  i am  i've
    i have  i (?:lean|think|need|should|must|can|could|see|found|added|want|propose)  let me  me know
    no delegation  si tu (?:veux|préfères)  dis-moi  je (?:vais|peux|dois|pense)
""")


# `How would you like to proceed?`
_NEXT = re.compile(
    r"\b(?:what|how) (?:would you like|do you want|should (?:i|we)|shall (?:i|we))(?: me)?(?: to)? ?"
    r"(?:(?:do|proceed|continue|start|go on|move on)\b|next\b)|\bwhat(?:'s| is| comes)? next\b|\bready to \w+"
    r"|\b(?:comment|que) (?:veux-tu|voulez-vous|souhaites-tu) (?:continuer|procéder|faire)\b"
)
# What only looks like a proposal.
_COURTESY = cues.words(r"""
    i(?:'d| would) (?:be (?:happy|glad|delighted)|love|say|appreciate|just \w+ed|already \w+ed)  happy to help
    i(?:'ll| will) (?:do my best|be happy|be here)
""")


def is_courtesy(text: str) -> bool:
    """Does a sentence only offer help, or report something?"""
    return _COURTESY.search(cues.plain(text)) is not None


def proposes(text: str) -> bool:
    """Does a sentence of the assistant begin with a proposal: "I suggest …", "Should I …?"?"""
    return _opening(text) is not None


def without_proposal(text: str) -> str:
    """What is proposed: "Postgres" of "I suggest Postgres", "use Redis." of "Should I use Redis?"."""
    found = _opening(text)
    rest = text[found.end() :] if found else text
    return f"{rest.rstrip('?？ ')}." if found and text.rstrip().endswith("?") else rest


def asks_to_agree(question: str) -> bool:
    """Does the assistant ask for agreement to one thing, not to choose between several?"""
    return _ASKS.match(question) is not None and not _CHOICE.search(cues.plain(question))


def asks_to_go_ahead(question: str) -> bool:
    """Does a question only ask whether to do what was announced before it?"""
    return _GO_AHEAD.match(cues.plain(without_proposal(question))) is not None


def asks_what_next(question: str) -> bool:
    """Does the assistant ask how to go on with the work, so that the answer settles nothing for later?"""
    if asks_to_agree(question):
        return not is_lasting_proposal(question)
    return _NEXT.search(cues.plain(question)) is not None


def is_lasting_proposal(text: str) -> bool:
    """Does a proposal say how something should be, so that its acceptance is a decision?

    `I'd use Redis` and `Should I keep the date?` do; `I'll run the tests` and `Shall I fix it now?` are a step.
    """
    found = _opening(text)
    plain = cues.plain(without_proposal(text))
    if _OF_THE_TALK.search(plain) or begins_like_one_off(plain) or (found is None and points_back(plain)):
        return False
    suggests = found is None or (found.re is _PROPOSES and found["will"] is None)
    return suggests or (_LASTS.match(plain) is not None and _NOW.search(plain) is None)


def _opening(text: str) -> re.Match[str] | None:
    return _PROPOSES.match(text) or (_ASKS.match(text) if text.rstrip().endswith("?") else None)
