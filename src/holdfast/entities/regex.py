"""Finds names by the form of words alone; fast enough for every message as it arrives.

Addresses, dates, versions, paths, symbols and errors are recognised by their form, libraries and places by a list,
people by a capital letter inside a sentence. The text is read word by word; plain words are skipped quickly.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import compress, pairwise
from typing import NamedTuple

from holdfast.core.entity import Mention
from holdfast.entities.first_names import PLACE_WORDS, TITLES, first_names
from holdfast.entities.known_names import KnownName, known_names
from holdfast.entities.name_or_word import is_ordinary
from holdfast.text.calendar_words import MONTHS
from holdfast.text.names import fold
from holdfast.text.patterns import compiled

# A message may be a whole log file; its beginning names its subject.
LONGEST = 20_000
_LONGEST_WORD = 300
_WRAPPING = "\"'`*“”‘’«»<>,;!?…"
_EXTENSIONS = (
    "py|pyi|ipynb|js|mjs|cjs|jsx|ts|tsx|vue|java|kt|kts|scala|go|rs|rb|php|c|h|cc|cpp|hpp|cs|fs|swift|m|mm|r|jl|lua|pl|sh|"
    "bash|zsh|ps1|bat|sql|html?|css|scss|less|xml|xsd|json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|md|rst|txt|log|csv|tsv|"
    "pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|ico|zip|tar|gz|jar|war|exe|dll|so|gradle|proto|tf|dockerfile|mk|cmake|jsp|"
    "aspx?|cshtml|plist|storyboard|properties|sbt|htaccess|db|sqlite"
)
_SHAPE = (
    r"(?P<url>(?:https?|ftp|wss?|file)://[^\s\])>\"]{3,}|www\.[\w-]+\.[^\s\])>\"]{2,})"
    r"|(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<library>@[a-z][\w-]*/[\w.-]+)"
    r"|(?P<username>@[A-Za-z][\w-]{1,38})"
    r"|(?P<hashtag>#[^\W\d]\w+)"
    r"|(?P<date>\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|\d{1,2}/\d{1,2}/(?:\d{4}|\d\d)|\d{1,2}\.\d{1,2}\.(?:19|20)\d\d)"
    r"|(?P<version>[vV]\d+(?:\.\d+)*[\w.-]*|\d+\.\d+\.\d+(?:[-+a-z][\w.+-]*)?|\d+\.\d+(?:a|b|rc)\d+)"
    r"|(?P<error>(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning|Fault)|SIG[A-Z]{3,5}|E(?:NOENT|ACCES|CONN[A-Z]+|ADDR[A-Z]+"
    r"|PIPE|PERM|EXIST|TIMEDOUT)|(?:CS|TS|LNK|ORA-|E|C)\d{4,5})"
    rf"|(?P<filetype>\.(?:{_EXTENSIONS}))"
    rf"|(?P<path>(?:[\w.@~-]*[/\\])+[\w.@-]+\.(?:{_EXTENSIONS}))"
    rf"|(?P<file>[\w.@-]+\.(?:{_EXTENSIONS})|(?:~|\.{{1,2}}|[A-Za-z]:)?[/\\][\w.@~-]+(?:[/\\][\w.@~-]+)*[/\\]?"
    r"|(?:src|lib|docs?|tests?|apps?|bin|etc|usr|var|opt|home|packages?|node_modules|[A-Za-z_.]\w*[._]\w*)"
    r"(?:/[\w.-]+)+/?|Makefile|Dockerfile|Gemfile|Rakefile|Procfile|Jenkinsfile)"
    r"|(?P<function>[\w$.:>-]*\w\(\)|[\w$]+(?:(?:\.|::|->)[\w$]+)+\([^()\s]{0,40}\)|\w+_\w+\([^()\s]{0,40}\)"
    r"|[a-z]+[A-Z]\w*\([^()\s]{0,40}\))"
    r"|(?P<website>[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|gov|edu|dev|ai|fm|co)(?:/\S*)?)"
    r"|(?P<name>[ie][A-Z][a-z]+\w*)"
    r"|(?P<class>[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[A-Z]{2,}[a-z]+(?:[A-Z][a-z]+)+)"
    r"|(?P<symbol>\w*[^\W_]_\w+|_+[a-z]\w+|[a-z]{2,}[0-9]*[A-Z]\w+|\$[A-Za-z]\w+"
    r"|[A-Za-z_]\w+(?:(?:\.|::|->)[A-Za-z_]\w+)+)"
)
# A file that somebody gives an agent: `@src/app.py`.
_ATTACHED = rf"@[\w.~/\\-]+\.(?:{_EXTENSIONS})"
_CONFIDENCE = {
    "url": 0.99, "email": 0.99, "library": 0.9, "username": 0.9, "hashtag": 0.8, "date": 0.9, "version": 0.75,
    "error": 0.7, "filetype": 0.7, "path": 0.9, "file": 0.75, "function": 0.6, "website": 0.8,
    "name": 0.5, "class": 0.6, "symbol": 0.5,
}  # fmt: skip
# Confidence: a listed name, a listed name that is also a common word, an installed library, a person, another name.
_KNOWN, _KNOWN_COMMON, _INSTALLED, _PERSON, _NAME = 0.75, 0.55, 0.9, 0.7, 0.4
_TECHNICAL = frozenset({"library", "language", "application", "os", "filetype", "file", "function", "error", "version"})
_IMPORTED = (
    r"(?m)^[ \t]*+(?:import|from)\s++([A-Za-z_][\w.]*)"
    r"|\b(?:pip3?|npm|uv|yarn|pnpm|cargo|gem|brew|poetry|bun|go|apt|apt-get)\s++(?:install|add|i|get)\s++(?:-\S++\s++)*"
    r"([A-Za-z@][\w@/.-]+)"
)
_MONTHS = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?"
)
_MONTH_STARTS = frozenset(month[:3].capitalize() for month in MONTHS)
_DAY_AFTER = rf"(?:{_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?"
_DAY_BEFORE = r"\b\d{1,2}(?:st|nd|rd|th)? (?:of )?$"
_YEAR_AFTER = rf"(?:{_MONTHS})\b\.?(?:,? \d{{4}}\b)?"
_SHORT = r"\d+(?:\.(?:\d+|x))?"
# A capitalised word after one of _RELATIONS is a person; a name with one of _ORGANIZATION_WORDS an organization.
_RELATIONS = frozenset(
    "friend sister brother wife husband partner girlfriend boyfriend fiancé fiancée son daughter mother father"
    " mom dad mum aunt uncle cousin nephew niece grandma grandpa boss manager colleague coworker roommate neighbor"
    " neighbour teacher professor doctor coach mentor teammate boyfriend stepsister stepbrother grandson granddaughter"
    " sœur soeur frère femme mari compagnon compagne copain copine fils fille mère père maman papa tante oncle"
    " cousine neveu nièce collègue chef cheffe ami amie voisin voisine".split()
)
_BEFORE_PERSON = _RELATIONS | {"named", "nommé", "nommée"}
_POSSESSIVES = frozenset("my our mon ma notre".split())
_ORGANIZATION_WORDS = frozenset(
    "Inc Inc. Corp Corp. Ltd Ltd. LLC GmbH AG University College Institute Bank Foundation Hospital Museum"
    " Association Council Ministry Department School Agency Labs".split()
)
_PRODUCTS = frozenset({"library", "language", "os", "application"})
# A word without any of these cannot be a name by its form.
_MAY_NAME = re.compile(r"[@#/\\_(.$\d]|[a-z][A-Z]|[A-Z]{2}[a-z]|^E[A-Z]{4}|^SIG")
_TITLES = TITLES | {"st"}
# Words after which a single letter may be a programming language.
_BEFORE_LETTERS = frozenset("in language using with learn write and".split())
_UPPER, _LOWER = "A-ZÀ-ÖØ-ÞĆČĐŁŃŚŠŹŻŽ", "a-zß-öø-ÿœā-ž"
_NAME_WORD = rf"(?:Mc|Mac|O['’]|D['’])?[{_UPPER}][{_LOWER}]+"
_CAPITALS = re.compile(rf"{_NAME_WORD}(?:[ -]{_NAME_WORD}){{0,3}}(?!\w)")
# In prose names are rare; where every few words are capitalised, the text is made of titles.
_WORDS_PER_NAME = 5
# Capitalised words that are not names.
_NOT_NAMES = frozenset(
    "I I'm I've I'd I'll I’m I’ve I’d I’ll A An The My Your Our His Her Their This That These Those It We You He"
    " She They And But Or If So Yes No Ok OK Okay Thanks Thank Please Hi Hello Hey Dear Sure Great Good Also Note"
    " Here There What When Where Which Who Why How Is Are Was Can Could Do Does Did Will Would Should Have Has Had"
    " Let Let's For To In On At Of By With From As Not Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
    " January February March April May June July August September October November December English French German"
    " Spanish Italian American British Chinese Japanese Indian European Asian African Christmas Easter"
    " Thanksgiving Halloween God Internet Web Mr Mrs Ms Dr Prof Step Part Chapter Section Day Week Month Year"
    " Table Figure Example Option Question Answer Version True False None Korean Greek Russian Turkish Polish"
    " Dutch Swedish Thai Mexican Canadian Australian Brazilian Vietnamese Arabic Latin Hindi Mandarin Portuguese"
    " Jewish Muslim Christian Catholic Islamic Western Eastern Northern Southern Us St Wi-Fi Tv Null Error Warning"
    " Info Debug Todo Note: Tip Tips Best Overall Additionally However Therefore Remember Mondays Tuesdays Wednesdays"
    " Thursdays Fridays Saturdays Sundays Weekday Weekdays Weekend Weekends".split()
)


def find_by_form(text: str) -> list[Mention]:
    """Returns the mentions in a text in order, without overlaps. Takes tens of microseconds for a usual message."""
    text = text[:LONGEST]
    found = _by_word(text)
    found += _capitals(text)
    if "import " in text or "install " in text or " add " in text or "go get " in text:
        found += _imported(text)
    return without_overlaps(found) if len(found) > 1 else found


def _by_word(text: str) -> list[Mention]:
    found: list[Mention] = []
    words, at = text.split(), 0
    # compress() skips the plain words, which are most, without running a Python statement for each.
    for place in compress(range(len(words)), map(_guess, words)):
        word, before = words[place], words[place - 1] if place else ""
        at = _position(text, word, at)
        guess = _guess(word)
        mention = guess and _read(text, at + guess.offset, guess, before, found)
        if mention is not None:
            found.append(mention)
        at += len(word)
    sure = not found or any(mention.label in _TECHNICAL for mention in found if mention.confidence > _KNOWN_COMMON)
    return found if sure else _without_common_words(found)


class _NameGuess(NamedTuple):
    """A word that may be a name: its core, the core's offset in the word, the known name, and the label of its form."""

    core: str
    offset: int
    known: KnownName | None
    form: str | None


@lru_cache(maxsize=1 << 15)
def _guess(word: str) -> _NameGuess | None:
    """Guesses what a word names; None for a plain word. Cached, because words recur often."""
    core = _bare(word)
    known, plain = known_names().get(core.lower()), _is_word(core)
    if known is not None and known.common and not known.longer and plain and core[0].islower():
        return None  # A common word in lower case has its usual meaning.
    form = _form(core) if not plain and (known or _MAY_NAME.search(core)) else None
    return _NameGuess(core, word.find(core), known, form) if known or form else None


def _is_word(core: str) -> bool:
    return core.isalpha() and core[1:].islower()


def _form(core: str) -> str | None:
    """Returns the label of a word's form; `short` is a number that is a version if it follows a product's name."""
    shape = compiled(_SHAPE).fullmatch(core) if len(core) <= _LONGEST_WORD else None
    if shape is not None:
        return shape.lastgroup
    return "short" if compiled(_SHORT).fullmatch(core) else None


def _without_common_words(found: list[Mention]) -> list[Mention]:
    """Drops common words that name a program only if the text names other programs too."""
    return [mention for mention in found if mention.confidence != _KNOWN_COMMON or mention.label not in _TECHNICAL]


def _position(text: str, word: str, at: int) -> int:
    """Returns the next position of the word as a whole word, not inside another."""
    while True:
        at = text.index(word, at)
        if (at == 0 or text[at - 1].isspace()) and not text[at + len(word) : at + len(word) + 1].strip():
            return at
        at += 1


def _bare(word: str) -> str:
    """Strips quotes, brackets, final punctuation, a possessive ending and the mark of an attached file from a word."""
    core = word.strip(_WRAPPING)
    if core.isalpha():
        return core
    core = core.rstrip(".:")
    if core.startswith(("(", "[")) or (core.endswith((")", "]")) and "(" not in core):
        core = core.strip("()[]{}").rstrip(".:")
    if core.startswith("@") and compiled(_ATTACHED).fullmatch(core):
        core = core[1:]
    return core[:-2] if core.endswith(("'s", "’s")) else core


def _read(text: str, at: int, word: _NameGuess, before: str, found: Sequence[Mention]) -> Mention | None:
    """Returns the mention that begins with a word, if any; a known name may include the words after it."""
    core, form = word.core, word.form
    mention = _known(text, at, core, before, word.known) if word.known else None
    if mention is not None or form is None or (form == "username" and _is_code(text, at)):
        return mention
    if form != "short":
        return Mention(core, at, at + len(core), "file" if form == "path" else form, _CONFIDENCE[form])
    if before == "version" or _follows_product(at, found):
        return Mention(core, at, at + len(core), "version", _CONFIDENCE["version"])
    return None


def _is_code(text: str, at: int) -> bool:
    """Is this position inside a code span or a block of code? `@doc` and `@media` are no people there."""
    return text[at - 1 : at] == "`" or text.count("```", 0, at) % 2 == 1


def _known(text: str, at: int, core: str, before: str, known: KnownName) -> Mention | None:
    for rest, label in known.longer:
        end = at + len(core)
        for part in rest:
            if text[end + 1 : end + 1 + len(part)].lower() != part:
                break
            end += 1 + len(part)
        else:
            if not text[end : end + 1].isalnum():
                return Mention(text[at:end], at, end, label, _KNOWN)
    if known.label is None or (known.common and not (before.isalpha() and before.islower() and core[0].isupper())):
        return None
    if len(core) == 1 and before not in _BEFORE_LETTERS:
        return None
    return Mention(core, at, at + len(core), known.label, _KNOWN_COMMON if known.common else _KNOWN)


def _follows_product(at: int, found: Sequence[Mention]) -> bool:
    return bool(found) and found[-1].end == at - 1 and found[-1].label in _PRODUCTS


def _capitals(text: str) -> list[Mention]:
    """Finds dates, and names: capitalised words inside sentences, and first names anywhere. Titles give no names."""
    found: list[Mention] = []
    for run in _CAPITALS.finditer(text):
        start = run.start()
        if text[start : start + 3] in _MONTH_STARTS and (date := _date(text, start)):
            found.append(date)
        elif (mention := _capitalised(text, run.group(), start)) is not None:
            found.append(mention)
    prose = (len(found) - 2) * _WORDS_PER_NAME <= text.count(" ")
    return found if prose else [mention for mention in found if mention.label != "name"]


def _is_title_before(text: str, before: Sequence[str], start: int) -> bool:
    return bool(before) and before[-1].rstrip(".").lower() in _TITLES and text[start - 1 : start] == " "


def _relation(before: Sequence[str]) -> str | None:
    """The word before a name that says that it is a person's, such as `wife` or `named`."""
    return before[-1].lower() if before and before[-1].lower() in _BEFORE_PERSON else None


def _is_inside(text: str, start: int) -> bool:
    """Does a sentence go on at this place?"""
    return start >= 2 and text[start - 1] == " " and (text[start - 2].islower() or text[start - 2] == ",")


def _label(name: str, person: bool) -> str:
    if not _ORGANIZATION_WORDS.isdisjoint(name.split()):
        return "organization"
    return "person" if person else "name"


def _capitalised(text: str, run: str, start: int) -> Mention | None:
    """Returns the name in a run of capitalised words; a title before it is not part of it."""
    before = text[max(0, start - 30) : start].split()
    words, titled = run.split(), _is_title_before(text, before, start)
    while len(words) > 1 and words[0].lower() in _TITLES:
        titled, start, words = True, start + len(words[0]) + 1, words[1:]
    stop = next((n for n, word in enumerate(words) if word in _NOT_NAMES), len(words))
    name = " ".join(words[:stop])
    if words[0].lower() in _TITLES and not titled:
        return None
    inside = _is_inside(text, start)
    relation = _relation(before) if inside else None
    given = fold(re.split("[ -]", name)[0]) in first_names() and fold(words[stop - 1]) not in PLACE_WORDS
    if not (inside or titled or given):
        return _unknown_name(text, words, start)
    if not name:
        return None
    label = _label(name, titled or given or relation is not None)
    of_speaker = relation in _RELATIONS and len(before) > 1 and before[-2].lower() in _POSSESSIVES
    confidence = _NAME if label == "name" else _PERSON
    return Mention(name, start, start + len(name), label, confidence, relation if of_speaker else None)


def _unknown_name(text: str, words: Sequence[str], start: int) -> Mention | None:
    """Returns the name in a run of capitalised words that begins a sentence, without the ordinary word before it.

    *Project Bluefin starts in May* names Bluefin; a single word may have its capital from the sentence.
    """
    if len(words) < 2:
        return None
    plain = [word in _NOT_NAMES or is_ordinary(fold(word)) for word in words]
    first = plain.index(False) if False in plain else len(words)
    start += sum(len(word) + 1 for word in words[:first])
    name = " ".join(words[first:])
    goes_on = text[start + len(name) : start + len(name) + 1] == " " and text[start + len(name) + 1 :][:1].islower()
    if not name or any(plain[first:]) or not goes_on:
        return None
    return Mention(name, start, start + len(name), "name", _NAME)


def _imported(text: str) -> list[Mention]:
    found = []
    for match in compiled(_IMPORTED).finditer(text):
        group = match.lastindex or 0
        name = match[group].rstrip(".,")
        found.append(Mention(name, match.start(group), match.start(group) + len(name), "library", _INSTALLED))
    return found


def _date(text: str, at: int) -> Mention | None:
    """Returns the date written around the name of a month: `3 March 2024`, `March 3rd`."""
    before, after = compiled(_DAY_BEFORE).search(text[max(0, at - 9) : at]), compiled(_DAY_AFTER).match(text, at)
    if before is not None:
        at -= len(before.group())
        after = compiled(_YEAR_AFTER).match(text, at + len(before.group()))
    if after is None:
        return None
    return Mention(text[at : after.end()], at, after.end(), "date", _CONFIDENCE["date"])


def without_overlaps(found: Iterable[Mention]) -> list[Mention]:
    """Keeps the surest of overlapping mentions, then the longest; returns them in the order of the text."""
    ordered = sorted(found, key=_start)
    if all(first.end <= second.start for first, second in pairwise(ordered)):
        return ordered
    kept: list[Mention] = []
    for mention in sorted(ordered, key=lambda m: (-m.confidence, m.start - m.end, m.start)):
        at = bisect_left(kept, mention.start, key=_start)
        free_before = at == 0 or kept[at - 1].end <= mention.start
        if free_before and (at == len(kept) or mention.end <= kept[at].start):
            kept.insert(at, mention)
    return kept


def _start(mention: Mention) -> int:
    return mention.start
