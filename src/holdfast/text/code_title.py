"""Makes a title for a passage of code: the words of its name, and the first sentence of its documentation.

By patterns, without a parser, so that it works for every language and for parts of files.
"""

from __future__ import annotations

from holdfast.text.patterns import compiled

# What follows is not read.
_READ = 4_000
_LONGEST_SENTENCE = 300
_DEFINED = r"\b(?:def|class|func|function|fn|fun|interface|struct|trait|enum)\s+(?:\([^()\n]*\)\s*)?(\w+)"
_CALLED = r"\b(\w+)\("
_PART = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"
# A docstring within the first lines, or the comment above the definition.
_DOCSTRING = r'(?s)\A.{0,600}?("""|\'\'\')(?P<text>.*?)\1'
_COMMENT = r"\A(?P<text>(?:[ \t]*(?:#|//|/\*|\*|--)[^\n]*\n)+)"
_MARKS = r"(?m)^[ \t]*(?:#+!?|//+!?|/\*+|\*+/?|--+)[ \t]?|\*/[ \t]*$"
# Where the first sentence ends: at a blank line, before the next sentence, and before what describes the arguments.
_END = r"\n[ \t]*\n|(?<=[.!?])\s+(?=[A-Z])|\n[ \t]*(?:[:@\\]|Args|Param|Return)|>>>"
# The role of a name in reStructuredText, as in :meth:`close`.
_ROLE = r"(?::[a-z]{1,12}){1,2}:`~?"


def code_title(text: str, name: str = "") -> str:
    """The name in words, then the first sentence of the documentation, as in `get user name. Fetches the name.`

    Without a given name it is the first one that is defined or called. Each part may be missing.
    """
    beginning = text[:_READ]
    found = compiled(_DOCSTRING).match(beginning) or compiled(_COMMENT).match(beginning)
    about = _sentence(found["text"]) if found else ""
    code = f"{beginning[: found.start('text')]}{beginning[found.end('text') :]}" if found else beginning
    named = _in_words(name) or _in_words(_name(code))
    return f"{named}. {about}".rstrip() if named else about


def _in_words(name: str) -> str:
    """Turns `getUserName` and `get_user_name` into `get user name`."""
    return " ".join(compiled(_PART).findall(name)).lower()


def _name(code: str) -> str:
    found = compiled(_DEFINED).search(code) or compiled(_CALLED).search(code)
    return found[1] if found else ""


def _sentence(documented: str) -> str:
    plain = compiled(_ROLE).sub("", compiled(_MARKS).sub("", documented)).strip().replace("`", "")
    first = compiled(_END).split(plain, maxsplit=1)[0]
    return " ".join(first.split())[:_LONGEST_SENTENCE]
