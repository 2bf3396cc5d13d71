"""Writes a statement so that it can be understood without the conversation it is from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.personal_patterns import PROPER_NAME
from holdfast.conversation.extract.sentences import content_words, sentences

if TYPE_CHECKING:
    from holdfast.conversation.extract.statements import KeptStatement

# The longest question or sentence that is added to a statement.
_LONGEST = 200
# A statement with fewer content words says nothing by itself; one with a pronoun needs more of them.
_FEW, _FEW_WITH_PRONOUN = 3, 6
# Openings that say nothing: those before a comma or another mark, and those before any word.
_BEFORE_MARK = cues.choices(r"""
    yes  yeah  yep  yup  no  nope  nah  ok  okay  right  exactly  correct  sure  fine  alright  all right  great  good
    perfect  well  oh  ah  hm+  hey  hi  hello  true  agreed  almost  careful  wait  hold on  anyway  thanks  cool
    sorry  oui  non  bon  bien  d'accord  alors  donc  attention  presque  merci  voilà  first  second  first of all
    not straightforward  good (?:point|call|catch|question)  makes sense  got it  one more thing  quick heads-up
    that's (?:wrong|right|true|correct|incorrect|not (?:right|true|correct))  however
    (?:one|a|another|small|quick) (?:more )?(?:change|update|correction)
    (?:one|a|another|small) (?:change|update) to (?:what we (?:settled|decided|agreed|said)|the (?:plan|rules?))
    update  correction  change of plans?  new rule  changement  mise à jour
""")
_BEFORE_WORD = cues.choices(r"""
    and  but  so  also  plus  actually  by the way  btw  speaking of which  fyi  in fact  just so you know
    for the record  heads-up  please  for context  for (?:future|your) reference
    oh  ah  well  okay  ok  yeah  et  mais  donc  alors  aussi  en fait  au fait  sinon  bon
    s'il te plaît
""")
_LEAD_IN = re.compile(
    rf"(?:(?:{_BEFORE_MARK})(?:\s*[,.:;!–—-]+\s+)|(?:{_BEFORE_WORD})(?:\s*[,:;!–—-]+\s*|\s+))+", re.IGNORECASE
)
_REMINDER = re.compile(
    r"/remember\s+|(?:please )?"
    r"(?:(?:remember|note|keep in mind|bear in mind|don't forget|be aware|retiens|retenez|notez?"
    r"|n'oublie[zs]? pas)(?:(?: this)?:|,|(?:,? (?:that|que)\b)|(?= qu'))|souviens-toi (?:que|qu'))\s*(?:qu')?",
    re.IGNORECASE,
)
# A sentence that begins with one of these is about something named before.
_POINTS_BACK = re.compile(
    r"(?:it|its|it's|that|that's|this|these|those|they|they're|them|he|he's|she|she's|his|her|their|both|neither|either"
    r"|then|same|such|the (?:same|rest|other|others|latter|former)|everything else|which|because|not|only|otherwise"
    r"|ça|cela|ce|c'est|c'était|il|elle|ils|elles|leurs?|celui|celle|ceux|les deux|sinon|sauf|pas)(?![\w-])"
)
_PRONOUN = cues.words(r"""
    it  them  this  that  those  these  ones?  that one  there  he  she  they  him  her  ça  cela
    l[ae]s? (?=\w+\b[.!]?$)
""")
# The beginning of a sentence that is complete although it is short, such as `We use Sentry` and `I live in Lyon`.
_COMPLETE = re.compile(
    r"(?:from now on,? |désormais,? )?(?:(?:call me|appelle[- ]moi)\W+\w"
    r"|(?:i|i'm|i've|i'll|i'd|my|we|we're|we've|we'll|our|you|let's|the|never|always|don't|no|use|je|j'\w+|mon|ma|mes"
    r"|on|nous|notre|nos|le|la|les|ne|pas|bon|[a-z]+ (?:is|are|has|owns|leads|uses|runs|lives|works))"
    r"(?![\w-])\W+\w+\W+\w)"
)
# Pronouns, which need a noun before them; `that` and its like only where no noun follows.
_ANAPHOR = re.compile(
    r"(?<![\w'-])(?:it|it's|its|them|they|they're|he|he's|she|she's|him|ones|the one"
    r"|(?:see|get|buy|find|try|want|need|make|use|new|different|good|better|other|specific) one"
    r"|(?:that|this|these|those)(?='s| (?:is|are|was|were|for|in|on|from|with|as|when|if|because|too|and|or|instead)\b"
    r"|[.,;!?]|$)|ça|cela)(?![\w-])"
)
# A sentence with fewer content words before its first pronoun names nothing that the pronoun may stand for.
_NOUNS = 3
# The beginning of a sentence that nobody understands without what it is about.
_UNCLEAR = re.compile(
    r"(?:it|they|them|he|she|that|this|these|those|which|both|neither)"
    r"(?:'s|'re|'ll| (?:is|are|was|were|has|have|had|should|must|can|will|would|does|do|did|need|needs|go|goes))\b"
)
# The end of a sentence about the work of the moment.
_OF_THE_MOMENT = re.compile(r"\b(?:we|you|i)(?:'ve)? (?:just )?(?:made|did|added|discussed|said|agreed on)[.!]?$")
_OPTION = re.compile(r"\b(?:option|choice|variant|plan|choix) (?:\d|[a-d]\b)")
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
_ASKER = frozenset("i we you it they this that i'd je tu on nous vous".split())
_SPACED = re.compile(r" (?=[.,!?;:](?:\s|$)|n't\b|'(?:s|m|re|ve|ll|d)\b)")
_MARK = re.compile(r"\{\w+\} ?")


def self_contained(statement: KeptStatement, about: str) -> str:
    """The statement without its lead-in, preceded by its question, its antecedent or its topic where it needs one.

    Empty if it cannot be understood, as `do that instead` after nothing.
    """
    words = _bare(statement.quote)
    if words.endswith(":"):
        return ""
    if statement.accepted is not None or not _needs_context(statement, words):
        return _with_topic(words, about)
    before = next(_contexts(statement), "")
    if before.endswith(":"):
        return f"{before} {_lower(words)}"
    if before:
        return f"{before} — {_upper(words)}"
    return _with_topic(words, about) if about or _is_clear(words) else ""


def _is_clear(words: str) -> bool:
    plain = cues.plain(words)
    enough = len(content_words(words)) >= _FEW or _COMPLETE.match(plain) is not None
    return enough and _UNCLEAR.match(plain) is None and _OF_THE_MOMENT.search(plain) is None


def without_lead_in(text: str) -> str:
    """The text in one line without words that only open it, such as `By the way,` or `Remember that`."""
    return _upper(_bare(text))


def _bare(text: str) -> str:
    line = one_line(text)
    rest = line[opening.end() :] if (opening := _LEAD_IN.match(line)) else line
    rest = (rest[reminder.end() :] if (reminder := _REMINDER.match(rest)) else rest).lstrip(" ,.:;–—-")
    return rest if any(map(str.isalnum, rest)) else line


def one_line(text: str) -> str:
    """The text with single blanks, and without those that a tokenizer leaves before punctuation."""
    return _SPACED.sub("", " ".join(_MARK.sub("", text).split()))


def _needs_context(statement: KeptStatement, words: str) -> bool:
    plain = cues.plain(words)
    count = len(content_words(words))
    fragment = count < _FEW and _COMPLETE.match(plain) is None
    if fragment or _POINTS_BACK.match(plain) or _OPTION.search(plain) or _pronoun_first(words):
        return True
    if _OF_THE_MOMENT.search(plain):
        return True
    if count >= _FEW_WITH_PRONOUN:
        return False
    return _answers(statement) or _PRONOUN.search(plain) is not None


def _pronoun_first(words: str) -> bool:
    """Does a pronoun come before any name and before enough words that it may stand for?"""
    text = words.replace("*", "")
    found = _ANAPHOR.search(cues.plain(text))
    if found is None:
        return False
    before = text[: found.start()]
    return len(content_words(before)) < _NOUNS and PROPER_NAME.search(before) is None


def _answers(statement: KeptStatement) -> bool:
    """Does it answer a question of the assistant, or refuse what the assistant proposed?"""
    turn = statement.turn
    refuses = bool(turn.proposal) and cues.REFUSES.match(cues.plain(statement.quote)) is not None
    return statement.place == 0 and (bool(turn.question) or refuses)


def _contexts(statement: KeptStatement) -> Iterator[str]:
    """What the statement may be about, the likeliest first: a question, the sentence before, or a proposal."""
    turn, place = statement.turn, statement.place
    option = _OPTION.search(statement.quote.lower())
    if option is not None:
        offered = (one_line(s.text) for s in turn.assistant_sentences if option[0] in s.text.lower() and not s.asks)
        yield from (_shortened(text) for text in offered)
    earlier = [one_line(sentence.text) for sentence in turn.sentences[:place] if not sentence.asks]
    said = [text for text in reversed(earlier) if len(content_words(text)) >= _FEW]
    if turn.question and not said:
        yield _topic_of(turn.question)
    yield from (_shortened(without_lead_in(text)) for text in said[:1])
    if turn.question:
        yield _topic_of(turn.question)
    if turn.proposal:
        yield _shortened(without_lead_in(turn.proposal))
    elif not turn.before and statement.before:
        yield from (_shortened(without_lead_in(s.text)) for s in sentences(statement.before)[-1:])


def _topic_of(question: str) -> str:
    """`CSV export, separator:` for `Which separator should the CSV export use?`; else the question."""
    line = one_line(question)
    found = _ATTRIBUTE.search(line) or _QUEL.search(line)
    if found is None:
        return _shortened(line)
    subject, attribute = found["subject"].strip(), found["attribute"].strip()
    if subject.lower().split()[0] in _ASKER:
        return f"{_upper(attribute)}:"
    return f"{_upper(subject)}, {attribute}:"


def _with_topic(words: str, about: str) -> str:
    return _upper(words) if not about or about.lower() in words.lower() else f"{about}: {_lower(words)}"


def _upper(text: str) -> str:
    """The text with a capital at its beginning, unless that is code."""
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first.rstrip(",.:;").isalpha() else text


def _lower(text: str) -> str:
    """The text with a small letter at its beginning, if it begins with an ordinary word."""
    first = text.split(" ", 1)[0]
    plain = first.rstrip(",.:;")
    ordinary = plain[1:].islower() and plain.isalpha() and plain.lower() in _ORDINARY
    return text[:1].lower() + text[1:] if ordinary else text


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else "…" + text[-_LONGEST:].partition(" ")[2]


_ORDINARY = frozenset(
    """the a an no not never always only use keep when if all any each every both then we our you your it its they their
    this that these those there don't do ask please return round sort drop skip cap count write put run send show hide
    le la les un une on nous il elle ne pas toujours jamais si tous toutes chaque""".split()
)
