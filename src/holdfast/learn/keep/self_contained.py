"""Writes a statement so that it can be understood without the conversation it is from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.learn.keep import cues
from holdfast.learn.keep.offered import is_offered, question_before, without_advice
from holdfast.learn.keep.proposals import (
    asks_to_agree,
    is_courtesy,
    is_lasting_proposal,
    proposes,
    without_proposal,
)
from holdfast.learn.keep.references import is_half, points_back, refers_back
from holdfast.learn.keep.sentences import content_words, sentences
from holdfast.learn.keep.spoken import as_written, breaks_off, is_halting
from holdfast.learn.keep.standing import is_standing
from holdfast.statements.parsing import read

if TYPE_CHECKING:
    from holdfast.learn.keep.kept_statements import KeptStatement
    from holdfast.learn.keep.sentences import Sentence

# The longest question or sentence that is added to a statement.
_LONGEST = 300
# The number of sentences before it among which the one is that names what a statement is about.
_EARLIER = 3
# A statement with fewer content words says nothing by itself; one with a pronoun needs more of them.
_FEW, _FEW_WITH_PRONOUN = 3, 6
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
# The opening of a request that has no question mark: `can we remove X, as Y replaces it`.
_REQUEST = re.compile(
    r"\A(?:can|could|would) (?:you|we) (?:please |also |maybe |just )*(?=[a-z][^?]*\Z)", re.IGNORECASE
)
_PRONOUN = cues.words(r"l[ae]s? (?=\w+\b[.!]?$)")
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
# The end of a sentence about the work of the moment.
_OF_THE_MOMENT = re.compile(
    r"\b(?:we|you|i)(?:'ve)? (?:just )?(?:made|did|added|discussed|said|agreed on)[.!]?$"
    r"|^i(?:'m| am) (?:done|finished|ready|back)\b"
)
# One of several proposals, by its number or letter. The last forms are options only if the assistant offered them.
_OPTION = re.compile(
    r"\b(?:option|choice|variant|approach|plan|choix) (?P<named>\d|[a-d]\b)|(?<![\w(])(?P<letter>[a-d])\)"
    r"|(?<!\S)#(?P<number>\d)\b|^\(?(?P<alone>\d|[a-d])\)?\W?$"
)
_MAYBE_OPTION = re.compile(rf"{_OPTION.pattern}|(?:^|\b(?:think|go with|for|choose|pick) )(?P<first>[a-d])[.,](?= )")
_BOLD = re.compile(r"\*\*(?=\S)([^*]+)(?<=\S)\*\*")
_QUOTATION = re.compile(r'"[^"]+"')
_OPEN_QUOTE = re.compile(r'(?:^|\s)"[^"]*$')
# An item of a list; KEY is its number or letter.
_ITEM = r"(?:^[\s*#|-]*|(?<=[.;:] ))(?:(?:option|approach|choice) )?KEY(?:\*\*)?[.):](?:\*\*)?\s+(.+?)(?:[.;](?=\s)|$)"
_COLUMNS = 2
# What is between two items of a list, or two paragraphs.
_SEPARATES = re.compile(r"\n\s*(?:\n|[-*•+]\s|\(?\w{1,2}[.)]\s|#)")
# An announcement of what follows.
_ANNOUNCES = re.compile(
    r"(?:here (?:is|are) |i have |there(?:'s| is| are) )?(?:one|two|three|four|some|a few|a couple of|several"
    r"|deux|trois"
    r"|quelques) (?:more |other |small |quick |autres )?(?:updates?|changes?|things?|notes?|corrections?"
    r"|points?|questions?"
    r"|mises à jour|changements|choses|remarques)\b(?! (?:i|we|you|that|is|are|i've|que|qui)\b)[^:]*$"
)
# An answer after the thing it is about: `HTTP and API yes, but also SKU`.
_ANSWER = re.compile(r"\w (?:yes|yeah|oui|non|no)(?:[,.!]|$)")
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
_DANGLES = re.compile(
    r"(?:otherwise|which|because|cuz|whereas|or|than|same|such|neither|either|sinon|car"
    r"|the (?:rest|others?|latter|former)|that(?= (?:the|an?|we|our|i|you|they|he|she|it|there|these|those|all)\b))\b"
)
# A verb at the beginning of a statement that lacks its subject, such as `must be controlled by configuration`.
_NO_SUBJECT = re.compile(
    r"(?:must|should|shall|could|would|can|will|may|needs? to|ha(?:s|ve) to|is|are|was|were|doit|doivent|devra(?:it)?)"
    r"(?: (?:not|also|only|never|always|be|have|show|use|default|work|include|just|then|pas|être)\b|n't\b)"
)
_FRENCH = cues.words("je  j'\\w+  nous  le  la  les  une  des")
_GOES_ON = re.compile(r"(?:and )?(?:then|after that|next|puis|ensuite)\b")
# The subject of a sentence that speaks of something introduced before: `The workshop covered …`
_SUBJECT = re.compile(
    r"(?:the|le|la|les) (?P<noun>[\w-]+(?: [\w-]+)?) (?:is|are|was|were|has|had|covered|lasted|took|took place"
    r"|est|sont|était)\b"
)
# `Which separator should the CSV export use?`
_ATTRIBUTE = re.compile(
    r"(?:and |so |also,? )?(?:which|what) (?P<attribute>[\w -]{2,40}?) (?:should|shall|must|does|do|will|would|can) "
    r"(?:the |our |a |an )?(?P<subject>[\w.`'/ -]{2,50}?) "
    r"(?:use|have|be|get|take|return|show|apply|need|want|prefer|contain|include|follow|(?:start|end) with)\b"
    r"[^?]{0,20}\?",
    re.IGNORECASE,
)
_QUEL = re.compile(
    r"quel(?:le)?s? (?P<attribute>[\w -]{2,40}?) (?:pour|dans|de|du|des) "
    r"(?:l'|la |le |les )?(?P<subject>[^?]{2,50}?) ?\?",
    re.IGNORECASE,
)
# A pronoun for the subject of the sentence before, and the most words of such a subject.
_STANDS_FOR_SUBJECT = re.compile(r"(?:it|they|he|she|its|their|his|her|ils?|elles?|son|sa|ses|leurs?)\b", re.IGNORECASE)
_LONGEST_SUBJECT = 5
_ASKER = frozenset("i we you it they this that i'd je tu on nous vous".split())
# Words that a subject does not contain: `Madam Chair, I`, `If we`, `Certainly the game plan`.
_NO_NAME = _ASKER | frozenset(", he she there if when as because certainly maybe quand si comme il elle".split())


def self_contained(statement: KeptStatement) -> str:
    """The statement without its lead-in, preceded by its question or its antecedent where it needs one.

    Empty if it cannot be understood, as `do that instead` after nothing.
    """
    words = _bare(statement.quote).rstrip(" ,;")
    if is_offered(statement.turn) and statement.accepted is None:
        asked = question_before(statement.turn)
        return _after(_topic_of(asked), words) if asked else _upper(words)
    return _in_context(statement, words)


def _in_context(statement: KeptStatement, words: str) -> str:
    proposed = without_proposal(words) if statement.accepted is not None else words
    words = words if refers_back(proposed) else proposed
    broken = (_is_broken(words) and not _OPTION.fullmatch(words.lower())) or is_halting(statement.quote)
    if broken or words.endswith(":") or _ANNOUNCES.match(cues.plain(words)):
        return ""
    unnamed = refers_back(words) or _ANSWER.search(cues.plain(words)) is not None
    if statement.accepted is not None or not (unnamed or _needs_context(statement, words)):
        return "" if unnamed else _upper(words)
    lines = (_after(before, words) for before in _contexts(statement) if _is_readable(before))
    if line := next((line for line in lines if not refers_back(line)), ""):
        return line
    plain = cues.plain(words)
    if unnamed or _UNCLEAR.match(plain):
        return _upper(without_open_clause(words))
    if _DANGLES.match(plain) or _NO_SUBJECT.match(plain) or (statement.turn.before and _OPTION.search(plain)):
        return ""
    return _upper(words) if _is_clear(words) and not _is_fragment(statement, plain) else ""


def _is_readable(before: str) -> bool:
    return len(before) <= _LONGEST and not _is_broken(before)


def _is_broken(line: str) -> bool:
    return is_half(line) or breaks_off(line) or _OPEN_QUOTE.search(line) is not None


def _is_context(text: str) -> bool:
    return len(content_words(text)) >= _FEW and not _is_verbless(cues.plain(text))


def _after(before: str, words: str) -> str:
    if _OPTION.fullmatch(words.lower()):
        return before
    return f"{before} {_lower(words)}" if before.endswith(":") else f"{before} — {_upper(words)}"


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
    return enough and _UNCLEAR.match(plain) is None and _OF_THE_MOMENT.search(plain) is None


def _is_complete(plain: str) -> bool:
    """Is it a whole sentence, however short?"""
    return _COMPLETE.match(plain) is not None or is_standing(plain)


def without_lead_in(text: str) -> str:
    """The text in one line without words that only open it, such as `By the way,` or `Remember that`."""
    return _upper(_bare(text))


def _one_line(text: str) -> str:
    line = re.sub(r"[:,;] ?\.$", ".", as_written(_BOLD.sub(r"\1", without_advice(text))))
    return line.replace("**", "") if line.count("**") == 1 else line


def _bare(text: str) -> str:
    line = _one_line(text)
    rest = line[opening.end() :] if (opening := _LEAD_IN.match(line)) else line
    rest = (rest[reminder.end() :] if (reminder := _REMINDER.match(rest)) else rest).lstrip(" ,.:;–—-")
    return _REQUEST.sub("", rest) if any(map(str.isalnum, rest)) else line


def _needs_context(statement: KeptStatement, words: str) -> bool:
    plain = cues.plain(words)
    count = len(content_words(words))
    fragment = count < _FEW and not _is_complete(plain)
    if fragment or _is_verbless(plain) or points_back(plain) or _OPTION.search(plain) or _ANSWER.search(plain):
        return True
    if _NO_SUBJECT.match(plain) or next(_chosen(statement), ""):
        return True
    if _OF_THE_MOMENT.search(plain):
        return True
    if _was_introduced(statement, plain):
        return True
    if count >= _FEW_WITH_PRONOUN:
        return False
    whole = _is_complete(plain) and _HAS_VERB.search(plain) is not None
    return (_answers(statement) and not whole) or _PRONOUN.search(plain) is not None


def _was_introduced(statement: KeptStatement, plain: str) -> bool:
    """Did the sentence before it introduce its subject: `I joined a workshop on birds. The workshop was long.`?"""
    subject = _SUBJECT.match(plain)
    before = _same_paragraph(statement)
    if subject is None or not before:
        return False
    nouns = set(content_words(subject["noun"]))
    return bool(nouns) and nouns <= set(content_words(before[-1].text))


def _is_fragment(statement: KeptStatement, plain: str) -> bool:
    """Does it lack a verb, after something was said? Who begins a conversation says whole sentences."""
    return not (statement.turn.opening and not statement.turn.before) and _is_verbless(plain)


def _is_verbless(plain: str) -> bool:
    """Is it only a group of words such as `general purpose for the workflow`, not an order?"""
    plain = _QUOTATION.sub("", plain)
    if len(plain.split()) > _MOST_VERBLESS or _HAS_VERB.search(plain):
        return False
    orders = cues.LASTING_ORDER.match(plain) or cues.SINGLE_ORDER.match(plain) or cues.REFUSES.match(plain)
    return not (orders or is_standing(plain) or cues.BINDS.search(plain) or read(plain).verb)


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
    asked = _asked(statement)
    if asked and earlier and not said and _GOES_ON.match(cues.plain(statement.quote)):
        yield f"{asked} — {earlier[-1]}".replace(": —", ":")
    if asked and not said:
        yield asked
    for text in map(without_lead_in, said[:_EARLIER]):
        # The subject alone, if that is enough: two statements in one line could only be replaced together.
        yield from filter(None, (_subject_of(text, statement.quote), text))
    if len(said) > 1:
        yield f"{without_lead_in(said[1])} {said[0]}"
    if asked:
        yield asked
    if turn.proposal and place == 0 and not turn.proposal.endswith(":"):
        yield from filter(None, (_proposed(statement),))
    elif not turn.before and statement.before:
        yield from (without_lead_in(s.text) for s in sentences(statement.before)[-1:])


def _asked(statement: KeptStatement) -> str:
    """What the assistant asked; of a question that the person says yes to, what they agree to.

    Empty if that was a single step of the work, such as `Want me to run the tests?`.
    """
    question = statement.turn.question
    if asks_to_agree(question) and cues.AGREES.match(cues.plain(statement.turn.sentences[0].text)):
        return _upper(without_proposal(question).rstrip(" .")) if is_lasting_proposal(question) else ""
    return _topic_of(question) if question else ""


def _proposed(statement: KeptStatement) -> str:
    """What the assistant proposed, as a decision if the person agrees to it."""
    proposal, plain = without_lead_in(statement.turn.proposal), cues.plain(statement.quote)
    if is_courtesy(proposal):
        return ""
    if proposes(proposal) and cues.AGREES.match(plain):
        return _upper(without_proposal(proposal).rstrip(" .")) if is_lasting_proposal(proposal) else ""
    # The words are the assistant's: without the mark they would read as the person's own intention.
    mark = "Proposition :" if _FRENCH.search(cues.plain(proposal)) else "Proposed:"
    return f"{mark} {proposal}"


def _chosen(statement: KeptStatement) -> Iterator[str]:
    """The proposals of the assistant that the statement names by number or letter, from its last such message."""
    keys = [match[match.lastgroup or 0] for match in _MAYBE_OPTION.finditer(cues.plain(statement.quote))]
    texts = [message.text for message in reversed(statement.turn.before)] if keys else []
    found = ([re.search(_ITEM.replace("KEY", key), text, re.I | re.M) for key in keys] for text in texts)
    items = next((items for items in found if all(items)), [])
    chosen = " / ".join(_cells(item[1]) for item in items if item)
    if chosen:
        bare = statement.turn.question and _OPTION.fullmatch(statement.quote.lower())
        yield _after(_topic_of(statement.turn.question), chosen) if bare else chosen


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


def _subject_of(before: str, words: str) -> str:
    """The words before the verb of an earlier statement, if the next one begins with a pronoun for them."""
    statement = read(before)
    subject = [token.text for token in statement.tokens[: statement.verb]]
    named = 0 < len(subject) <= _LONGEST_SUBJECT and _NO_NAME.isdisjoint(token.lower() for token in subject)
    return " ".join(subject) if named and _STANDS_FOR_SUBJECT.match(words) else ""


def _topic_of(question: str) -> str:
    """`CSV export, separator:` for `Which separator should the CSV export use?`; else the question."""
    line = _one_line(question)
    found = _ATTRIBUTE.search(line) or _QUEL.search(line)
    if found is None:
        return line
    subject, attribute = found["subject"].strip(), found["attribute"].strip()
    if subject.lower().split()[0] in _ASKER:
        return f"{_upper(attribute)}:"
    return f"{_upper(subject)}, {attribute}:"


def _upper(text: str) -> str:
    """The text with a capital at its beginning, unless that is code."""
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first.rstrip(",.:;").replace("'", "").replace("’", "").isalpha() else text


def _lower(text: str) -> str:
    """The text with a small letter at its beginning, if it begins with an ordinary word."""
    first = text.split(" ", 1)[0]
    plain = first.rstrip(",.:;")
    ordinary = plain[1:].islower() and plain.isalpha() and plain.lower() in _ORDINARY
    return text[:1].lower() + text[1:] if ordinary else text


_ORDINARY = frozenset(
    """the a an no not never always only use keep when if all any each every both then we our you your it its they
    their
    this that these those there don't do ask please return round sort drop skip cap count write put run send show hide
    le la les un une on nous il elle ne pas toujours jamais si tous toutes chaque""".split()
)
