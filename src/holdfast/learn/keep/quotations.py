"""Finds the sentences of a message that its author only quotes, pastes or asks about, so that they are nobody's rule.

Somebody else's words are recognised by how a message brings them in: quotation marks, lines with the names of speakers
or the labels of a log, a clause that introduces them (`The docs say:`, `Translate to French:`), or a request or a
question about a text at hand (`Review this sentence. …`, `… Is that true?`). Where both readings are possible, words
are quoted: a rule that is missed can be said again, one that was only pasted must not be believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby

from holdfast.learn.keep import cues
from holdfast.learn.keep.one_off_orders import begins_like_one_off, is_rule
from holdfast.learn.keep.sentences import Sentence, content_words, is_pasted, sentences

# The beginning of a clause, which says what it does. Nobody introduces a text in more words.
_READ = 200
# A quotation with fewer words is a name or an example.
_QUOTED_WORDS = 4
_QUOTATION = re.compile(
    r"""(?<![\w"(])["“«]{1,3}\s?(?P<double>[^"“”«»\n]{12,1000})["”»]
    |(?<!\w)['‘](?=\w)(?P<single>(?:[^'’\n]|(?<=\w)['’](?=\w)){12,400})['’](?!\w)""",
    re.X,
)
# The label before a line of a chat, a log, a mail or a configuration, also with a time.
_LABEL = re.compile(r"[ \t>*_-]*(?P<label>[^\W\d_][\w.-]{0,24}|[^\W\d_]\w{0,24} [A-Z]\w{0,24})[*_]{0,3} ?:(?=\s|$)")
# Labels that only those texts have, in any spelling; others have them in lower case.
_OF_TEXTS = frozenset("from to cc subject date sent de à objet user human assistant system agent bot customer".split())
_OF_MAIL = frozenset(("from", "de"))
_WHO = re.compile(r"\b(?:who|whom|he|she|they|them|qui|il|elle|ils|eux)\b")

# Nouns for texts.
_TEXT = cues.choices(r"""
    sentence  text  paragraph  passage  phrase  wording  quote  quotation  slogan  snippet  excerpt  translation
    e-?mail  mail  message  letter  comment  answer  reply  log  output  trace  transcript  chat  conversation
    docstring  readme  diff  json  yaml  statement  clause  paste  line
    texte  paragraphe  extrait  courriel  lettre  commentaire  réponse  journal  citation
""")
# What is elsewhere unless a colon follows.
_DOCUMENT = cues.choices(r"""
    article  page  post  blog  thread  issue  ticket  report  spec  plan  file  document  config  prompt  error  warning
    review  story  requirement  criteri(?:a|on)  list  note  essay  homework  recipe  fichier  erreur  consigne
""")
_AT_HAND = r"(?:this|these|the following|following|ce|cet|cette|ces)"
_THIS_TEXT = re.compile(rf"\b(?:(?:{_AT_HAND}|my|mon|ma) (?:[\w-]+ ){{0,3}}(?:{_TEXT})s?\b|(?:text|lines?) below\b)")
_THIS_DOCUMENT = re.compile(
    rf"\b(?:{_AT_HAND}|my|mon|ma) (?:[\w-]+ ){{0,3}}(?:{_TEXT}|{_DOCUMENT})s?\b|\b(?:following|below|suivante?s?)\b"
)
_HANDS_OVER = re.compile(
    rf"(?:here(?:'s| is| are)|below (?:is|are)|voici) (?:[\w'-]+ ){{0,5}}(?:{_TEXT}|{_DOCUMENT})s?\b"
)
# `Slack message:`, `Error from the compiler:`; in the plural it is a topic.
_TITLE = re.compile(rf"(?:[\w'’.-]+ ){{0,4}}(?:{_TEXT}|{_DOCUMENT})$")
_FROM = re.compile(
    rf"(?:from (?:[\w'’-]+ ){{0,4}}|(?:an? |the |une? |le |la )?(?:[\w'’-]+ ){{0,2}})"
    rf"(?:{_TEXT}|{_DOCUMENT}|guide|docs?|manual)s? (?:from|by|of|de|du)\b"
)
_HERE = re.compile(r"(?:here(?:'s| is| are)|voici)\b")
# With so much behind it, whatever is handed over is no rule.
_MUCH = 1_500
_WORK = cues.choices(r"""
    summari[sz]e  sum up  translate  proofread  paraphrase  rephrase  reword  shorten
    résume[rz]?  tradui[rst]e?[sz]?  reformule[rz]?  relis(?:ez)?
    rewrite  convert  explain  classify  check  implement  execute  extract  fill in  compare  describe  rate  parse
    guess  list  give  answer  find  make this  corrige[rz]?  explique[rz]?  vérifie[rz]?  donne[rz]?  compare[rz]?
""")
_ASKED = r"(?:(?:please|can you|could you|now|then|and|s'il te plaît|peux-tu),? ){0,3}"
_WORKS = re.compile(rf"{_ASKED}(?:{_WORK})\b")
_VERBS = cues.choices(r"""
    says?  said  contains?  states?(?! its)  stated  reads  writes  wrote  tells  told  prints?  printed  reports?
    reported  claims?  claimed  suggests?  suggested  mentions?  mentioned  replied  answered  complains?  commented
    posted  left a comment  dit  disent  disait  indique  (?:m'|nous )?(?:a )?écrit  affirme  prétend  répond
""")
_SAYS = re.compile(rf"(?<!\S)(?P<who>\S+) (?:{_VERBS})\b")
# After these words it is the author who speaks, or somebody they speak for, or nobody does.
_OWN = frozenset(
    """i we you he she they let's i've we've i'd i'll to must should will would can could may always never not it that
    je nous tu vous on""".split()
)
_WHAT_SAYS = re.compile(r"\b(?:what (?:the|this|that|it|he|she|they) .{0,40}(?:says?|said|means?)|ce que dit .{0,40})$")
_CAME_FROM = re.compile(
    r"\b(?:got|found|saw|read|received|copied|pasted|noticed|came across|trouvé|reçu|lu|vu|copié)"
    r" (?:this|these|the following|ceci|cela|ça|cette|ce)\b"
)
# A question whether words are true or right, or what they mean.
_IT = r"(?:this|that|these|those|it|he|she|they|here|ça|cela|ceci|il|elle)"
_TRUE = (
    r"(?:true|false|correct|right|wrong|safe|valid|legit\w*|accurate|serious|grammatical\w*|idiomatic|(?:still )?holds?"
    r"|vrai|faux|juste|correcte?|sûre?)"
)
_ASKS_ABOUT = re.compile(
    rf"\b(?:is|are|was) {_IT}\b.{{0,20}}\b{_TRUE}\b|\b{_IT} (?:still |really |actually )?holds?\b"
    r"|\btrue or (?:false|not)\b"
    rf"|\b(?:does|do|did) {_IT}\b.{{0,20}}\bmeans?\b|\b(?:is|was) (?:it |that )?meant\b|\bwrong with {_AT_HAND}\b"
    rf"|\b(?:c'est|est-ce|est-ce que c'est) {_TRUE}\b|\bveut dire\b|\bque signifie\b|\bvrai ou faux\b"
)
# A question is about what is beside it, not about what it says itself, if it is short.
_SHORT = 14
# The mark of an item of a list.
_MARKS = " \t-*+•–0123456789.)("
# A greeting has fewer words of content.
_FEW = 3
_FOLLOWS = re.compile(r"\b(?:the following|suivante?s?)\b")
_THUS = re.compile(r" (?:this|that|so|the following|ceci|ça|cela)[ .]*$")
_WHAT_FOLLOWS = re.compile(
    r"\bthe following[ .?!]*$|\b(?:here's|here is|voici) (?:what|ce que) (?!we|i|you|nous|je|on)\b"
)


def own_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a message that are its author's own: neither pasted nor quoted nor the text of a request."""
    found = sentences(text)
    if not found:
        return ()
    foreign = {*_quoted(text, found), *_labelled(text, found), *_introduced(text, found)}
    return tuple(sentence for n, sentence in enumerate(found) if n not in foreign) if foreign else found


def _quoted(text: str, found: Sequence[Sentence]) -> Iterator[int]:
    """The sentences that have a rule in quotation marks, and none outside of them."""
    matches = list(_QUOTATION.finditer(text))
    spans = [match.span() for match in matches if len((match["double"] or match["single"]).split()) >= _QUOTED_WORDS]
    for n, sentence in enumerate(found) if spans else ():
        inside = [(max(a, sentence.start), min(b, sentence.end)) for a, b in spans]
        quoted = [text[a:b] for a, b in inside if a < b]
        outside = sentence.text
        for part in quoted:
            outside = outside.replace(part, "")
        if any(map(_binds, quoted)) and not _binds(outside):
            yield n


def _binds(text: str) -> bool:
    plain = cues.plain(text).strip("\"'“”‘’«» ")
    return is_rule(plain) or any(sign.match(plain) for sign in (cues.LASTING_ORDER, cues.FORBIDS, cues.REMEMBER))


def _labelled(text: str, found: Sequence[Sentence]) -> Iterator[int]:
    """The sentences in lines of a chat, a log, a mail or a configuration: two or more lines with labels in a row."""
    start, pasted = 0, list[tuple[int, int]]()
    asks_who = any(sentence.asks and _WHO.search(cues.plain(sentence.text)) for sentence in found)
    for blank, group in groupby(text.split("\n"), key=lambda line: not line.strip()):
        lines = list(group)
        ends = list(accumulate((len(line) + 1 for line in lines), initial=start))
        if not blank:
            pasted += _of_text(lines, ends, len(text), asks_who)
        start = ends[-1]
    for n, sentence in enumerate(found):
        if any(a <= sentence.start < b for a, b in pasted):
            yield n


def _of_text(lines: Sequence[str], starts: Sequence[int], end: int, asks_who: bool) -> list[tuple[int, int]]:
    """Where such a text is in the lines of a block. A mail goes on to the end of the message; a command has output.

    Names before lines are speakers if the message asks about them (`asks_who`), else they may be topics.
    """
    labels = {n: found["label"] for n, line in enumerate(lines) if (found := _LABEL.match(line))}
    low = {label.lower() for label in labels.values()}
    if len(labels) >= 2 and (asks_who or low & _OF_TEXTS or all(label[0].islower() for label in labels.values())):
        return [(starts[min(labels)], end if low & _OF_MAIL else starts[-1])]
    if lines[0].lstrip().startswith("$ "):
        return [(starts[0], starts[-1])]
    is_log = any(is_pasted(line.lstrip()) for line in lines)
    return [(starts[n], starts[n + 1]) for n in labels] if is_log else []


def _introduced(text: str, found: Sequence[Sentence]) -> Iterator[int]:
    """The sentences that an introduction, a request or a question of the message is about."""
    for n, sentence in enumerate(found):
        head, colon, tail = _head(sentence.text)
        rest = text[sentence.end :]
        ends_line = not rest.strip() or "\n" in rest[: len(rest) - len(rest.lstrip())]
        if n + 1 < len(found) and _is_shown(text[sentence.end : found[n + 1].start]):
            continue
        if _introduces(head, colon, ends_line and not tail) or (len(rest) > _MUCH and colon and _HERE.match(head)):
            yield from range(n if tail else n + 1, len(found) if ends_line else _end_of_block(text, found, n))
            return
        if _hands_over(head, sentence.asks and not tail, found[n + 1 :], ends_line):
            yield from range(n + 1, len(found))
            return
        if sentence.asks and _is_about_text(sentence.text):
            opens = n + 1 < len(found) and all(len(content_words(s.text)) < _FEW for s in found[:n])
            yield from range(n + 1, len(found)) if opens else _before(text, found, n)


def _is_shown(between: str) -> bool:
    """Is code or a log between a sentence and the next paragraph, so that the sentence is about it?

    After a heading the text goes on.
    """
    skipped, _, before_next = between.rpartition("\n\n")
    return bool(skipped.strip()) and not skipped.strip().startswith("#") and not before_next.strip(_MARKS)


def _head(text: str) -> tuple[str, str, str]:
    """A sentence up to its colon, or to a dash behind an introduction; the colon, and what follows."""
    plain = cues.plain(text[: 2 * _READ])
    found = re.search(r" ?:(?=\s|$)| - (?=\S)", plain)
    if not found or found.start() > _READ:
        return plain[:_READ], "", ""
    return plain[: found.start()], found[0], plain[found.end() :].strip()


def _introduces(head: str, colon: str, ends_line: bool) -> bool:
    """Does a clause before a colon announce somebody else's words, or a text to work on?"""
    if cues.LASTS.search(head) or cues.REMEMBER.match(f"{head}:"):
        return False
    if not colon:
        return _says(head) and (_THUS.search(head) is not None or (ends_line and _ends_with_verb(head)))
    if "-" in colon:
        return (_FOLLOWS.search(head) or _WHAT_FOLLOWS.search(head)) is not None
    names_text = _FROM.match(head) or _HANDS_OVER.match(head) or (ends_line and _TITLE.match(head))
    if (
        names_text
        or _says(head)
        or any(sign.search(head) for sign in (_WHAT_FOLLOWS, _CAME_FROM))
        or _WORKS.match(head)
    ):
        return True
    return bool(_THIS_DOCUMENT.search(head) and not cues.BINDS.search(head))


def _hands_over(head: str, asks: bool, after: Sequence[Sentence], ends_block: bool) -> bool:
    """Does a request or a question without a colon refer to the text behind it?"""
    if not after:
        return False
    if _HANDS_OVER.match(head) or _WHAT_SAYS.search(head.rstrip(" .!")):
        return True
    requests = asks or begins_like_one_off(head) or any(sign.match(head) for sign in (cues.SINGLE_ORDER, _WORKS))
    if requests and (_THIS_TEXT.search(head) or _WHAT_FOLLOWS.search(head)):
        return True
    return bool(after[0].item and ends_block and _WORKS.match(head) and "these " in head)


def _is_about_text(question: str) -> bool:
    """Does a question ask whether the words beside it are true, or what they mean?"""
    return len(question.split()) <= _SHORT and _ASKS_ABOUT.search(cues.plain(question)) is not None


def _ends_with_verb(head: str) -> bool:
    return any(match.end() == len(head.rstrip()) for match in _SAYS.finditer(head))


def _says(head: str) -> bool:
    return any(match["who"] not in _OWN and not match["who"].endswith("n't") for match in _SAYS.finditer(head))


def _before(text: str, found: Sequence[Sentence], n: int) -> Iterator[int]:
    """The sentences of the same paragraph as a question, or of the one before if the question is alone in its own."""
    alone = n == 0 or "\n\n" in _between(text, found[n - 1], found[n])
    for place in range(n - 1, -1, -1):
        if "\n\n" in _between(text, found[place], found[place + 1]) and not (alone and place == n - 1):
            return
        yield place


def _end_of_block(text: str, found: Sequence[Sentence], n: int) -> int:
    """The place of the first sentence after the paragraph of this one."""
    ends = (place for place in range(n + 1, len(found)) if "\n\n" in _between(text, found[place - 1], found[place]))
    return next(ends, len(found))


def _between(text: str, one: Sentence, other: Sentence) -> str:
    first, second = (one, other) if one.start < other.start else (other, one)
    return text[first.end : second.start]
