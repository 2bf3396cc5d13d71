"""Splits a message into sentences, without code, logs, stack traces, headings, tables and long quotations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from holdfast.core.frozen import frozen
from holdfast.text.stemming import stem
from holdfast.text.stop_words import STOP_WORDS

# Nobody types more than this at once; longer text was pasted, below a few lines of their own.
_MAX_READ, _OPENING = 8_000, 800
_LONG_LINE = 2_400
# A line with this many cells of code is a row of a table.
_TABLE = 2
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_ITEM = re.compile(r"(?:(?:[-*•+–—·◦▪→]|\(?\d{1,2}\)|\d{1,2}\.|[a-z]\))[ \t]+(?:\[[ xX]\][ \t]+)?|\[[ xX]\][ \t]+)")
# A number alone, and what the person adds to it in one line.
_NUMBER_FIRST = re.compile(r"\d{1,2}\. ")
_PASTED = re.compile(
    r"""[>|<{}\[]|\#{1,6}[ ]|[$%][ ]|//|/\*|\#!|@\w+\(|---|===|\+\+\+|@@
    |[\w.]*(?:Error|Exception|Warning):
    |[\w./-]+\.\w+:\d+(?::\d+)?:
    |(?:FAIL|PASS|FAILED|PASSED|SKIPPED)[ ]+\S*[./:]|[\w./-]+\.\w+:\d+(?::\d+)?[ ]+[›>]
    |On[ ]branch[ ]\S+$|Your[ ]branch[ ]is[ ](?:up|ahead|behind)|(?:no[ ]changes[ ]added|nothing)[ ]to[ ]commit\b
    |Switched[ ]to[ ](?:a[ ]new[ ])?branch[ ]|HEAD[ ]is[ ]now[ ]at[ ]|Already[ ]up[ ]to[ ]date
    |\d+[ ]files?[ ]changed,|(?:create|delete)[ ]mode[ ]\d|rename[ ]\S+[ ]=>|Enumerating[ ]objects
    |remote:[ ]|To[ ]\S+\.git$|Ran[ ]\d+[ ]tests?[ ]in[ ]\S+$
    |(?:Tests|Test[ ](?:Suites|Files)):?[ ]+\d+[ ][a-z]+\b|=+[ ]RUN\b|-+[ ](?:PASS|FAIL|SKIP):|(?:not[ ])?ok[ ]\d+[ ]-?
    |\d+[ ](?:passed|failed|passing|failing|skipped)\b(?:,?[ ]\d+[ ]\w+)*(?:[ ]in[ ][\d.]+[ ]?m?s)?$
    |Changes[ ](?:not[ ]staged|to[ ]be[ ]committed)|Untracked[ ]files:|modified:|deleted:|new[ ]file:
    |(?:Traceback|File[ ]"|at[ ][\w.$<>]+\(|Caused[ ]by|npm[ ]ERR|warning:|error:|fatal:)
    |\d+:\d+[ \t]+(?:warning|error|info|note)\b|[✓✔✖✗✘⚠❯➜│├└┌╭╰■]
    |\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE)\b
    |(?:def|class|import|from|return|const|let|var|function|public|private|SELECT|INSERT|UPDATE)[ ][^.!?]*[;:{(=]
    |\w[\w.\[\]"']*[ ]?(?:=(?!=)|:=|\+=)[ ]?\S""",
    re.X,
)
_SYMBOLS = re.compile(r"[{}\[\]<>=;|\\/_$^~]")
# A whole message of one line after `#`, with which people tell an agent what to remember; fewer words are a heading.
_SHORTCUT = re.compile(r"\s*(?P<line># ?[^\W\d_]\S*(?: \S+){3,60})\s*")
# A quotation too long to be a name or an example, so somebody else's words.
_QUOTATION = re.compile(r"(?<!\S)[\"“«](?=\S)[^\"“”«»\n]{90,}(?<=\S)[\"”»](?!\w)")
_END = re.compile(r"(?:(?<![.!?…])[.!?…]++[\"'”’)\]*]*+|[。！？])(?=\s|$)|\n")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.?g|i\.?e|etc|vs|cf|approx|incl|resp|mr|mrs|ms|dr|st|no|fig|jr|sr|inc|ltd|p\.s|[a-z]|m|mme"
    r"|p\. ?ex)\.$",
    re.I,
)
# Initials such as `B.C.` and `p.m.`, which end a sentence if a capital follows.
_INITIALS = re.compile(r"(?:^|[\s(])(?:[^\W\d_]\.)+[^\W\d_]\.$")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@frozen
class Sentence:
    """A sentence and its position in the message. `item`: it is an item of a list."""

    text: str
    start: int
    end: int
    item: bool = False

    @property
    def asks(self) -> bool:
        """Is it a question?"""
        return self.text.rstrip("\"'”’)* ").endswith(("?", "？"))


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a message in order, without code, logs, stack traces, headings, tables and quotations."""
    return _sentences(text if len(text) <= _MAX_READ else text[:_OPENING].rpartition("\n")[0] or text[:_OPENING])


@lru_cache(maxsize=128)
def _sentences(text: str) -> tuple[Sentence, ...]:
    """Cached: changes, statements and follow-ups of a page are each found in all of its messages."""
    if shortcut := _SHORTCUT.fullmatch(text):
        return (Sentence(shortcut["line"], *shortcut.span("line")),)
    found: list[Sentence] = []
    is_answer = "\n" not in text.strip() and _NUMBER_FIRST.match(text.lstrip()) is not None
    for start, line in _lines(text):
        bare = line.lstrip()
        indent = len(line) - len(bare)
        if indent >= 4 or len(line) > _LONG_LINE or is_pasted(bare):
            continue
        mark = None if is_answer else _ITEM.match(bare)
        skipped = indent + (mark.end() if mark else 0)
        found.extend(_cut(line[skipped:], start + skipped, mark is not None))
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def content_words(text: str) -> tuple[str, ...]:
    """The stems of the words that carry meaning (no stop words), in order, each once."""
    plain = text.lower().replace("’", "'")
    kept = (stem(word) for word in _WORD.findall(plain) if word not in STOP_WORDS and word not in _FILLER)
    return tuple(dict.fromkeys(kept))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their offset; fenced code and long quotations are blanked out."""
    fenced = "```" in text or "~~~" in text
    visible = _FENCE.sub(lambda m: _blank(m[0]), text) if fenced else text
    visible = _QUOTATION.sub(lambda m: _blank(m[0]), visible)
    start = 0
    for line in visible.split("\n"):
        if line.strip():
            yield start, line.rstrip()
        start += len(line) + 1


def _blank(text: str) -> str:
    return "".join("\n" if char == "\n" else " " for char in text)


def is_pasted(line: str) -> bool:
    """Does a line look like code, a log, the output of a program, a heading or a table?"""
    if _PASTED.match(line):
        return True
    if "`" in line and _cells(line) >= _TABLE:
        return True
    return len(line) > 20 and len(_SYMBOLS.findall(line)) > len(line) / 8


def _cells(line: str) -> int:
    """The number of pieces of code that touch the next word, as in a table that was pasted without its columns."""
    parts = line.split("`")  # Every second part is code.
    return sum(len(after) > 1 and after[:2].isalpha() for after in parts[2::2])


def _cut(line: str, offset: int, item: bool) -> Iterator[Sentence]:
    start = 0
    for end in (*_ends(line), len(line)):
        text = line[start:end].strip()
        if any(map(str.isalnum, text)):
            at = start + len(line[start:end]) - len(line[start:end].lstrip())
            yield Sentence(text, offset + at, offset + at + len(text), item)
        start = end


def _ends(line: str) -> Iterator[int]:
    """The offsets at which sentences end: not after an abbreviation, nor inside inline code."""
    for match in _END.finditer(line):
        before = line[max(0, match.start() - 8) : match.start() + 1]
        if match[0] == "." and (_ABBREVIATION.search(before) or _continues(before, line[match.end() :])):
            continue
        if line.count("`", 0, match.start()) % 2:
            continue
        yield match.end()


def _continues(before: str, after: str) -> bool:
    return _INITIALS.search(before) is not None and not after.lstrip()[:1].isupper()


# Conversational filler that says nothing about the subject.
_FILLER = frozenset(
    """yes yeah yep no nope ok okay right sure exactly well please thanks thank hey hi hello oh ah um actually really
    also too let lets let's it's that's there's here's i'm i've i'll i'd we're we've we'll you're they're don't doesn't
    didn't can't won't isn't aren't shouldn't must shall may might cannot get got go going make made thing things one
    way now still even never always oui non merci bien alors donc aussi c'est j'ai""".split()
)
