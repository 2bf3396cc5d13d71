"""Recognises comments of a code review, which people paste for an agent to work on.

They are worded like rules (`the function should use the existing helper`), but say what is wrong with the code of
today, and are dealt with in the same session.
"""

from __future__ import annotations

import re

from holdfast.learn.keep import cues

# A name of code, with or without marks around it, or a place in a file.
_CODE = re.compile(r"`[^`\n]+`|\b[a-z]+[A-Z]\w|\b[A-Z][a-z0-9]+[A-Z]\w|\w\(\)|\w_\w|\w\.\w+\.\w|\w\.[a-z]{1,4}:\d")
_FINDS = cues.words(
    r"""
    consider(?: also| either| instead)? \w+ing  lines? \d+(?:[-–]\d+)?  \w+\.[a-z]{1,4}:\d+
    this (?:causes?|means|creates|results|leads|produces|breaks|change|could|may|can|would|will)
    (?:causing|leading to|resulting in) \w+  potential (?:\w+ )?(?:issue|bug|problem|leak|race)s?  codebase
    (?:in|as) a follow-up  (?:low|medium|high|critical) severity
    (?:is|are) (?:also |now |never |currently )?(?:duplicated|outdated|unused|inconsistent|redundant|untested)
    (?:is|are) (?:also |now |never |currently )?unreachable
    """
)
# A reviewer speaks of the code. Who talks to an agent says what they want and what it should do.
_PERSONAL = cues.words(
    r"""
    i  i'm  i'd  i've  i'll  me  my  we  we're  we'd  we've  we'll  us  our  let's  you  your  please  ok(?:ay)?  yes
    """
)


def is_review_comment(text: str, start: int, end: int) -> bool:
    """Does this part of a message stand in a paragraph about code, by nobody and to nobody, of somebody's findings?"""
    begin, after = text.rfind("\n\n", 0, start) + 1, text.find("\n\n", end)
    paragraph = text[begin : after if after >= 0 else len(text)]
    if not _CODE.search(paragraph) or _PERSONAL.search(cues.plain(paragraph)):
        return False
    return _FINDS.search(cues.plain(text)) is not None
