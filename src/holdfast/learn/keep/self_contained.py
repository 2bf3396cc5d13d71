"""Writes a statement so that it can be understood without the conversation it is from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.learn.keep import cues
from holdfast.learn.keep.references import is_half, points_back, refers_back
from holdfast.learn.keep.sentences import content_words, sentences
from holdfast.learn.keep.spoken import as_written, breaks_off, is_halting
from holdfast.learn.keep.told import is_standing_order
from holdfast.statements.parsing import read

if TYPE_CHECKING:
    from holdfast.learn.keep.kept_statements import KeptStatement
    from holdfast.learn.keep.sentences import Sentence

# The longest question or sentence that is added to a statement.
_LONGEST = 300
# The number of sentences before it among which the one is that names what a statement is about.
_EARLIER = 3
# A statement with fewer content words says nothing by itself; an answer needs more of them.
_FEW, _FEW_IN_ANSWER = 3, 6
# Openings that say nothing: those before a comma or another mark, and those before any word.
_BEFORE_MARK = cues.choices(r"""
    yes(?: please)?  oui(?: s'il te plaît)?
    yeah  yep  yup  no  nope  nah  ok  okay  right  exactly  correct  sure  fine  alright  all right  great  good
    perfect  well  oh  ah  hm+  hey  hi  hello  true  agreed  almost  careful  wait  hold on  anyway  thanks  cool
    sorry  no wait  stop for a (?:second|moment)  non  bon  bien  d'accord  alors  donc  attention  presque  merci
    voilà  first  second  first of all  q  question  quick (?:thing|note|question|one)  my point is  thinking again
    (?:mr\.?|mister|madam) (?:chair|speaker)
    not straightforward  good (?:point|call|catch|question)  makes sense  got it  one more thing  quick heads-up
    (?:that's|(?:that|this|the (?:first|second|last) part) is) (?:wrong|incorrect|(?:not )?(?:right|true|correct))
    however  on second thoughts?
    (?:one|a|another|small|quick) (?:more )?(?:change|update|correction)
    (?:one|a|another|small) (?:change|update) to (?:what we (?:settled|decided|agreed|said)|the (?:plan|rules?))
    understood  noted  settled  recap  final  compris  entendu  noté  god  my god  oh my god  mon dieu
    update  correction  change of plans?  new rule  changement  mise à jour  look  listen  you see  you know  i mean
    see  as (?:i|we|you) (?:said|mentioned|discussed|noted)(?: (?:before|earlier|above))?  basically  honestly
    frankly  obviously  again  like i said  as i said  i guess  to be honest  sure thing  wow
    no worries  moreover  additionally  furthermore  besides  de plus  par ailleurs  of course  absolutely
    definitely  totally  speaking of [^,.!?]{2,40}  about that  on that note
    on a (?:related|side|different) note  in that case  mind you  écoute  écoutez  regarde  enfin  bref  en gros
    tu sais  vous savez  je veux dire  franchement  évidemment  bien sûr
""")
_BEFORE_WORD = cues.choices(r"""
    (?:yes|ok|okay|sure|no) (?:and|but)
    and  but  so(?! (?:that(?!'s)|far|many|much)\b)  also  plus(?! (?:valable|de|d')\b)  'cause
    like(?= (?:it|i|we|you|they|if|when)\b)  actually  by the way  btw  speaking of which  fyi  in fact
    just so you know  i mean  (?:it )?turn(?:s|ed) out(?: that)?  il s'avère que
    for the record  heads-up  please  for context  for (?:future|your) reference
    oh  ah  well  okay  ok  yeah  et  mais  donc  alors  aussi  en fait  au fait  sinon  bon
    s'il te plaît
""")
_LEAD_IN = re.compile(
    rf"(?:(?:{_BEFORE_MARK})(?:\s*[,.:;!–—-]+\s+)|(?:{_BEFORE_WORD})(?:\s*[,:;!–—-]+\s*|\s+))+", re.IGNORECASE
)
_REMINDER = re.compile(
    r"/remember\s+(?:that\s+)?|# ?(?=[^\W\d_])|(?:please )?"
    r"(?:(?:remember|note|(?:keep|have|bear) in mind|don't forget|do not forget|never forget|be aware|memori[sz]e"
    r"|retiens|retenez|notez?|mémorise[rz]?|n'oublie[zs]? (?:pas|jamais))"
    r"(?:(?: this)?:|,|(?:,? (?:that|que)\b)|(?= qu'))"
    r"|(?:souviens-toi|souvenez-vous|rappelle-toi) (?:que|qu')"
    r"|(?:add|save|write|put) (?:this |that |it )?(?:to|in|into) (?:your |the )?memory:)\s*(?:qu')?",
    re.IGNORECASE,
)
# The beginning of a sentence that is complete although it is short, such as `We use Sentry` and `I live in Lyon`.
_COMPLETE = re.compile(
    r"(?:from now on,? |désormais,? )?(?:(?:call me|appelle[- ]moi)\W+\w"
    r"|(?:i|i'm|i've|i'll|i'd|my|we|we're|we've|we'll|our|you|let's|the|never|always|don't|no|use|je|j'\w+|mon|ma|mes"
    r"|on|nous|notre|nos|le|la|les|ne|pas|bon|[a-z]+ (?:is|are|has|owns|leads|uses|runs|lives|works))"
    r"(?![\w-])\W+\w+\W+\w)"
)
# The beginning of a sentence that nobody understands without what it is about.
_UNCLEAR = re.compile(
    r"(?:it|they|them|he|she|that|this|these|those|which|both|neither)"
    r"(?:'s|'re|'ll| (?:is|are|was|were|has|have|had|should|must|can|will|would|does|do|did|need|needs|go|goes))\b"
)
# One of several proposals, by its number or letter. The last forms are options only if the assistant offered them.
_OPTION = re.compile(
    r"\b(?:option|choice|variant|approach|plan|choix) (?P<named>\d|[a-d]\b)|(?<![\w(])(?P<letter>[a-d])\)"
    r"|(?<!\S)#(?P<number>\d)\b|^\(?(?P<alone>\d|[a-d])\)?\W?$"
)
_MAYBE_OPTION = re.compile(rf"{_OPTION.pattern}|(?:^|\b(?:think|go with|for|choose|pick) )(?P<first>[a-d])[.,](?= )")
_BOLD = re.compile(r"\*\*(?=\S)([^*]+)(?<=\S)\*\*")
_QUOTATION = re.compile(r'"[^"]+"')
# An item of a list; KEY is its number or letter.
_ITEM = r"(?:^[\s*#|-]*|(?<=[.;:] ))(?:(?:option|approach|choice) )?KEY(?:\*\*)?[.):](?:\*\*)?\s+(.+?)(?:[.;](?=\s)|$)"
_COLUMNS = 2
# What is between two items of a list, or two paragraphs.
_SEPARATES = re.compile(r"\n\s*(?:\n|[-*•+]\s|\(?\w{1,2}[.)]\s|#)")
# A longer sentence has a verb, as has one with these words.
_MOST_VERBLESS = 12
_HAS_VERB = re.compile(
    r"\b(?:i|we|you|they|he|she|it|me|us|is|are|was|were|be|has|have|had|do|does|did|will|can|let's|i'\w+"
    r"|we'\w+|\w+n't"
    r"|je|j'\w+|on|nous|tu|vous|est|sont|a|ont|\w+-moi)\b"
    r"|(?<=\w )\w{2,}(?:ed|ait|aient)\b|\bs'\w+|\b\w{2,40}s (?:the|an?|our|its|every|le|la|les)\b"
)
_LAST_CLAUSE = re.compile(r"(?:, (?:so|but|and|which|because|as|mais|donc|et|car)| - | — |; ?)(?= |\w)")
_FIRST_CLAUSE = re.compile(r"[^;—–]{1,80}?(?: [—–-] |; )")
_FRENCH = cues.words("je  j'\\w+  nous  le  la  les  une  des")


def self_contained(statement: KeptStatement) -> str:
    """The statement without its lead-in, preceded by its question or its antecedent where it needs one.

    Empty if it cannot be understood, as `do that instead` after nothing.
    """
    words = _bare(statement.quote).rstrip(" ,;")
    broken = (_is_broken(words) and not _OPTION.fullmatch(words.lower())) or is_halting(statement.quote)
    if broken or words.endswith(":"):
        return ""
    unnamed = refers_back(words)
    if not (unnamed or _needs_context(statement, words)):
        return _upper(words)
    lines = (_after(before, words) for before in _contexts(statement) if _is_readable(before))
    if line := next((line for line in lines if not refers_back(line)), ""):
        return line
    return _upper(without_open_clause(words)) if unnamed else _alone(statement, words)


def _alone(statement: KeptStatement, words: str) -> str:
    """The words if they say something without the context that was not found; else empty."""
    plain = cues.plain(words)
    is_option = bool(statement.turn.before) and _OPTION.search(plain) is not None
    return _upper(words) if _is_clear(words) and not (is_option or _is_fragment(statement, plain)) else ""


def _is_readable(before: str) -> bool:
    return len(before) <= _LONGEST and not _is_broken(before)


def _is_broken(line: str) -> bool:
    return is_half(line) or breaks_off(line)


def _is_context(text: str) -> bool:
    return len(content_words(text)) >= _FEW and not _is_verbless(cues.plain(text))


def _after(before: str, words: str) -> str:
    if _OPTION.fullmatch(words.lower()):
        return before
    return f"{before} {words}" if before.endswith(":") else f"{before} — {_upper(words)}"


def is_understandable(line: str) -> bool:
    """Does a line say something by itself, and name everything that it mentions?"""
    return _is_clear(line) and not (refers_back(line) or _is_broken(line))


def without_open_clause(line: str) -> str:
    """The line without its last or first clause, where only that points to something unnamed; empty if more does.

    `I traded the Yaris in for a Skoda.` for `I traded the Yaris in for a Skoda, so forget those tyres.`
    """
    clauses = list(_LAST_CLAUSE.finditer(line))
    head = line[: clauses[-1].start()].rstrip() if clauses else ""
    if _stands_alone(head):
        return f"{head}."
    first = _FIRST_CLAUSE.match(line)
    rest = line[first.end() :] if first else ""
    return rest if _stands_alone(rest) and read(cues.plain(rest)).verb else ""


def _stands_alone(clause: str) -> bool:
    starts = len(content_words(clause)) >= _FEW and not points_back(clause)
    return starts and is_understandable(clause)


def _is_clear(words: str) -> bool:
    plain = cues.plain(words)
    enough = len(content_words(words)) >= _FEW or _is_complete(plain)
    return enough and _UNCLEAR.match(plain) is None


def _is_complete(plain: str) -> bool:
    """Is it a whole sentence, however short?"""
    return _COMPLETE.match(plain) is not None


def without_lead_in(text: str) -> str:
    """The text in one line without words that only open it, such as `By the way,` or `Remember that`."""
    return _upper(_bare(text))


def _one_line(text: str) -> str:
    line = re.sub(r"[:,;] ?\.$", ".", as_written(_BOLD.sub(r"\1", text)))
    return line.replace("**", "") if line.count("**") == 1 else line


def _bare(text: str) -> str:
    line = _one_line(text)
    rest = line[opening.end() :] if (opening := _LEAD_IN.match(line)) else line
    rest = (rest[reminder.end() :] if (reminder := _REMINDER.match(rest)) else rest).lstrip(" ,.:;–—-")
    return rest if any(map(str.isalnum, rest)) else line


def _needs_context(statement: KeptStatement, words: str) -> bool:
    plain = cues.plain(words)
    count = len(content_words(words))
    if points_back(plain) or _OPTION.search(plain) or next(_chosen(statement), ""):
        return True
    if is_standing_order(words):
        return False
    if _is_verbless(plain) or (count < _FEW and not _is_complete(plain)):
        return True
    whole = count >= _FEW_IN_ANSWER or (_is_complete(plain) and _HAS_VERB.search(plain) is not None)
    return _answers(statement) and not whole


def _is_fragment(statement: KeptStatement, plain: str) -> bool:
    """Does it lack a verb, after something was said? Who begins a conversation says whole sentences."""
    return not (statement.turn.opening and not statement.turn.before) and _is_verbless(plain)


def _is_verbless(plain: str) -> bool:
    """Is it only a group of words such as `general purpose for the workflow`, not an order?"""
    plain = _QUOTATION.sub("", plain)
    if len(plain.split()) > _MOST_VERBLESS or _HAS_VERB.search(plain):
        return False
    orders = cues.LASTING_ORDER.match(plain) or cues.SINGLE_ORDER.match(plain) or cues.REFUSES.match(plain)
    return not (orders or cues.BINDS.search(plain) or read(plain).verb)


def _answers(statement: KeptStatement) -> bool:
    """Does it answer a question of the assistant, or refuse what the assistant proposed?"""
    turn = statement.turn
    refuses = bool(turn.proposal) and cues.REFUSES.match(cues.plain(statement.quote)) is not None
    return statement.place == 0 and (bool(turn.question) or refuses)


def _contexts(statement: KeptStatement) -> Iterator[str]:
    """What the statement may be about, the likeliest first: a question, the sentence before, or a proposal."""
    turn, place = statement.turn, statement.place
    yield from _chosen(statement)
    earlier = [
        _one_line(s.text) for s in _same_paragraph(statement) if not (s.asks or s.text.rstrip("* ").endswith(":"))
    ]
    said = [text for text in reversed(earlier) if _is_context(text)]
    asked = _one_line(turn.question)
    if asked and not said:
        yield asked
    yield from map(without_lead_in, said[:_EARLIER])
    if len(said) > 1:
        yield f"{without_lead_in(said[1])} {said[0]}"
    if asked:
        yield asked
    if turn.proposal and place == 0 and not turn.proposal.endswith(":"):
        yield _proposed(turn.proposal)
    elif not turn.before and statement.before:
        yield from (without_lead_in(s.text) for s in sentences(statement.before)[-1:])


def _proposed(proposal: str) -> str:
    """The assistant's proposal, marked: without the mark it would read as the person's own intention."""
    mark = "Proposition :" if _FRENCH.search(cues.plain(proposal)) else "Proposed:"
    return f"{mark} {without_lead_in(proposal)}"


def _chosen(statement: KeptStatement) -> Iterator[str]:
    """The proposals of the assistant that the statement names by number or letter, from its last such message."""
    keys = [match[match.lastgroup or 0] for match in _MAYBE_OPTION.finditer(cues.plain(statement.quote))]
    texts = [message.text for message in reversed(statement.turn.before)] if keys else []
    found = ([re.search(_ITEM.replace("KEY", key), text, re.I | re.M) for key in keys] for text in texts)
    items = next((items for items in found if all(items)), [])
    chosen = " / ".join(_cells(item[1]) for item in items if item)
    if chosen and statement.turn.question and _OPTION.fullmatch(statement.quote.lower()):
        yield _after(_one_line(statement.turn.question), chosen)
    if chosen:
        yield chosen


def _cells(item: str) -> str:
    """An item of a list without markup; `On demand: Generate it later` for a row of a table with two columns."""
    line = _one_line(item.replace("**", ""))
    cells = [bare for cell in line.split("|") if (bare := cell.strip(" .:"))]
    return ": ".join(cells if len(cells) == _COLUMNS else cells[:1])


def _same_paragraph(statement: KeptStatement) -> list[Sentence]:
    """The sentences before it that stand in its paragraph or item of a list."""
    own = statement.turn.sentences
    first = statement.place
    while first and _SEPARATES.search(statement.message.text[own[first - 1].end : own[first].start]) is None:
        first -= 1
    return list(own[first : statement.place])


def _upper(text: str) -> str:
    """The text with a capital at its beginning, unless that is code."""
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first.rstrip(",.:;").replace("'", "").replace("’", "").isalpha() else text
