"""Recognises choices by number or letter, which say nothing that matters in a later session."""

from __future__ import annotations

import re

from holdfast.learn.keep import cues

# A choice by number or letter. What was chosen is in another message.
_BARE_CHOICE = re.compile(
    r"(?:(?:ok(?:ay)?|yes|sure|so|and|then|actually|oui),? )*"
    r"(?:(?:let's|i(?:'ll| will| would|'d)?|we(?:'ll)?|please|je|on) )?"
    r"(?:(?:go|went|going|stick|start|do|use|choose|chose|pick|picked|take|took|prefer|like|want|pars?|part|prends?"
    r"|choisis?) )?"
    r"(?:with |for |sur )?(?:the |le |la |l')?(?:(?:option|choice|number|plan|approach|variant|solution|choix) )?"
    r"[(#]?(?:[a-d]|\d{1,2}(?:\.\d)?)[).]?(?:(?:,| and| &| et) #?\d{1,2})*"
    r"(?: please| then| instead| first| for now)?[.!]*\Z"
)


def is_bare_choice(text: str) -> bool:
    """Is it only a choice by number or letter, such as `let's go with option 3`?"""
    return _BARE_CHOICE.match(cues.plain(text)) is not None
