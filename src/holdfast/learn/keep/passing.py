"""Recognises remarks about the work of the moment, which say nothing that matters in a later session.

How far an agent or a pull request has come, what is to be done with git or handed to another agent, and questions
without a question mark. Requests for how a product should behave are not among them: they last.
"""

from __future__ import annotations

import re

from holdfast.learn.keep import cues
from holdfast.learn.keep.one_off_orders import is_rule

# Housekeeping, and work that is handed over.
_HOUSEKEEPING = cues.beginning(
    """
    please  just  then  so  and  now  ok(?:ay)?  also  first  yes  sure  let's  go ahead and  i want you to  can you
    you can  we should
    """,
    r"""
    (?:fix ?up|squash|rebase|force[- ]push|cherry[- ]pick|stash|unstage) (?!every|any)\w+
    (?:spawn|kick off|dispatch|launch|delegate) (?:an? |the |another |\d+ |some |this |it |new |fresh |more |to )*\w*
    have a (?:bead|ticket|worker|sub-?agent) (?:and|to)
    (?:open|create|submit|make|raise) an? (?:draft )?(?:pr|pull request|mr|bead|ticket)
    fold (?:the |these |those )?(?:changes|fixes|commits?)
    hand (?:batches|this|it|the \w+) (?:\w+ ){0,8}to (?:haiku|sonnet|opus|a sub-?agent|workers?)
    """,
)
# `PR: https://…`, `Behind origin/main by 2 commits`.
_REFERENCE = re.compile(r"(?:\w{1,30}[ -]?){0,2}(?:: *)?https?://\S+$|(?:\w+ )?(?:behind|ahead of) origin/\S+")
_PROGRESS = re.compile(
    r"(?:the |this |that |our |your |my |remote |local |draft |previous |feature |old |new ){0,6}"
    r"(?:branch|pr|pull request|mr|bead|issue|ticket|worker|worktree|sub-?agent|coordinator|build|pipeline|job|ci)"
    r"(?: (?:#?\d[\w-]*|[\w]+-[\w.-]+))? "
    r"(?:is|was|has|has been|got|are|were|have) (?:now |still |already |just |also |been ){0,4}"
    r"(?:started|running|working|stuck|done|finished|merged|closed|pushed|deleted|pending|waiting|blocked|open|green|red"
    r"|in progress|ready|up to date)\b"
)
_ASKS = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|also|but|hm+|wait|now|then|hey|hi|well|oh),? )*"
    r"(?:(?:is|are|does|do|did|was|were|has|have) "
    r"(?:it|this|that|there|the|these|those|they|we|you|i|our|my|your|an?)\b"
    r"|(?:where|how|who|what|which) (?:is|are|was|were|does|do|did|can|should|would)\b|what's\b|how come\b)"
)


# What comes next in the work: `let's move on to 3.2`, `try again`.
_NEXT = cues.beginning(
    "ok(?:ay)?  great  cool  good  so  and  then  now  please  perfect  yes  sure",
    r"""
    let's (?:move on|continue|proceed|keep going|get started|start with|tackle|go back to|do (?:it|this|that|the))
    (?:try|run|test) (?:it |that |this )?(?:again|now|once more)  (?:move|go|carry) on(?: to|$)  next up
    on (?:passe|continue|reprend)  (?:réessaie|recommence|continue)[rz]?
    """,
)
# A request for one text or piece of code. What follows `that` describes it: `write a function that must return 5`.
_PIECE = cues.beginning(
    "please  now  also  and  then  so  ok(?:ay)?  can you  could you",
    r"(?:write|draft|compose|generate|écris|rédige|génère)(?: me| us|-moi|-nous)? (?:an?|another|some|two|une?|des)",
)
_DESCRIBED = re.compile(r"\b(?:that|which|qui)\b")
# A choice by number or letter. What was chosen is in another message.
_BARE_CHOICE = re.compile(
    r"(?:(?:ok(?:ay)?|yes|sure|so|and|then|actually|oui),? )*"
    r"(?:(?:let's|i(?:'ll| will| would|'d)?|we(?:'ll)?|please|je|on) )?"
    r"(?:(?:go|went|going|stick|start|do|use|choose|chose|pick|picked|take|took|prefer|like|want|pars?|part|prends?"
    r"|choisis?) )?"
    r"(?:with |for |sur )?(?:the |le |la |l')?(?:(?:option|choice|number|plan|approach|variant|solution|choix) )?"
    r"[(#]?(?:[a-d]|\d{1,2}(?:\.\d)?)[).]?(?:(?:,| and| &| et) #?\d{1,2})*(?: please| then| instead| first)?[.!]*\Z"
)


def is_bare_choice(text: str) -> bool:
    """Is it only a choice by number or letter, such as `let's go with option 3`?"""
    return _BARE_CHOICE.match(cues.plain(text)) is not None


def is_passing(text: str) -> bool:
    """Is a sentence only about the work of the moment?"""
    plain = cues.plain(text)
    if _REFERENCE.match(plain):
        return True
    if any(sign.match(plain) for sign in (_PROGRESS, _HOUSEKEEPING, _NEXT)):
        return not is_rule(plain)
    if _PIECE.match(plain):
        return not is_rule(_DESCRIBED.split(plain, maxsplit=1)[0])
    return _ASKS.match(plain) is not None and not text.rstrip("\"'”’)* ").endswith((".", "!", "?"))
