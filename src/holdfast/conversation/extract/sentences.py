"""A message as the sentences a person said in it; what was pasted or quoted is not among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from holdfast.text.words import STOP_WORDS, stem

# Why a limit: nobody types this much in one go; what is longer was pasted.
_READ = 8_000
_LONG_LINE = 2_400
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_ITEM = re.compile(r"(?:[-*•+]|\d{1,2}[.)]|[a-z]\))[ \t]+")
_PASTED = re.compile(
    r"""[>|<{}\[]|\#{1,6}[ ]|[$%][ ]|//|/\*|\#!|@\w+\(|---|===|\+\+\+|@@
    |[\w.]*(?:Error|Exception|Warning):
    |(?:Traceback|File[ ]"|at[ ][\w.$<>]+\(|Caused[ ]by|npm[ ]ERR|warning:|error:|fatal:)
    |\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE)\b
    |(?:def|class|import|from|return|const|let|var|function|public|private|SELECT|INSERT|UPDATE)[ ][^.!?]*[;:{(=]
    |\w[\w.\[\]"']*[ ]?(?:=|:=|\+=)[ ]?\S""",
    re.X,
)
_SYMBOLS = re.compile(r"[{}\[\]<>=;|\\/_$^~]")
# A quotation too long to be a name or an example: somebody else's words.
_QUOTATION = re.compile(r"(?<!\S)[\"“«](?=\S)[^\"“”«»\n]{90,}(?<=\S)[\"”»](?!\w)")
_END = re.compile(r"(?:[.!?…]+[\"'”’)\]*]*|[。！？])(?=\s|$)|\n")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|mr|mrs|ms|dr|st|no|fig|jr|sr|inc|ltd|p\.s|[a-z]|m|mme|p\. ?ex)\.$", re.I
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its place in the message. `item` says that it stood in a list."""

    text: str
    start: int
    end: int
    item: bool = False

    @property
    def asks(self) -> bool:
        return self.text.rstrip("\"'”’)* ").endswith(("?", "？"))


def sentences(text: str) -> tuple[Sentence, ...]:
    """What was said, in order. Code, logs, stack traces, headings, tables and quotations are left out."""
    found: list[Sentence] = []
    for start, line in _lines(text):
        bare = line.lstrip()
        indent = len(line) - len(bare)
        if indent >= 4 or len(line) > _LONG_LINE or _is_pasted(bare):
            continue
        mark = _ITEM.match(bare)
        skipped = indent + (mark.end() if mark else 0)
        found.extend(_cut(line[skipped:], start + skipped, mark is not None))
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def telling(text: str) -> tuple[str, ...]:
    """The words that carry the meaning, inflections folded, in order, each once."""
    plain = text.lower().replace("’", "'")
    kept = (stem(word) for word in _WORD.findall(plain) if word not in STOP_WORDS and word not in _EMPTY)
    return tuple(dict.fromkeys(kept))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their place, outside of fences and long quotations, which are blanked out."""
    seen = text[:_READ]
    if "```" in seen or "~~~" in seen:
        seen = _FENCE.sub(lambda m: _blank(m[0]), seen)
    seen = _QUOTATION.sub(lambda m: _blank(m[0]), seen)
    start = 0
    for line in seen.split("\n"):
        if line.strip():
            yield start, line.rstrip()
        start += len(line) + 1


def _blank(text: str) -> str:
    return "".join("\n" if char == "\n" else " " for char in text)


def _is_pasted(line: str) -> bool:
    if _PASTED.match(line):
        return True
    return len(line) > 20 and len(_SYMBOLS.findall(line)) > len(line) / 8


def _cut(line: str, offset: int, item: bool) -> Iterator[Sentence]:
    start = 0
    for end in (*_ends(line), len(line)):
        said = line[start:end].strip()
        if any(map(str.isalnum, said)):
            at = start + len(line[start:end]) - len(line[start:end].lstrip())
            yield Sentence(said, offset + at, offset + at + len(said), item)
        start = end


def _ends(line: str) -> Iterator[int]:
    """Where a sentence ends: not after an abbreviation, nor inside of code."""
    for match in _END.finditer(line):
        before = line[max(0, match.start() - 8) : match.start() + 1]
        if match[0] == "." and _ABBREVIATION.search(before):
            continue
        if line.count("`", 0, match.start()) % 2:
            continue
        yield match.end()


# Small words of talk that say nothing about what is talked of.
_EMPTY = frozenset(
    """yes yeah yep no nope ok okay right sure exactly well please thanks thank hey hi hello oh ah um actually really
    also too let lets let's it's that's there's here's i'm i've i'll i'd we're we've we'll you're they're don't doesn't
    didn't can't won't isn't aren't shouldn't must shall may might cannot get got go going make made thing things one
    way now still even never always oui non merci bien alors donc aussi c'est j'ai""".split()
)
