"""Questions from what people say of themselves: one element of a statement is replaced by a question word.

"I went to a support group yesterday" becomes "When did Caroline go to a support group?". The rules are narrow: where a
sentence does not fit, there is no question.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from training.english import BASES, NUMBERS, PARTICIPLES, SPAN, TIME, WORDS, either, gerund, past, third
from training.statements import NOT_STATED, Statement, opened, stated

Asked = tuple[str, str]  # the kind of question, the question
_VAGUE = re.compile(rf"(?i)\b{either('words that point elsewhere')}\b")
_LITTLE = frozenset(WORDS["words with little content"])
_NOT_EVER = frozenset(WORDS["participles without ever"])
_THINGS = frozenset(WORDS["verbs with things"])
_GOING = frozenset(WORDS["verbs of going"])
_STAYING = frozenset(WORDS["verbs of staying"])
_BUSY = frozenset("study learn read plan write build watch teach train play paint cook".split())
_LIKING = frozenset("like love enjoy hate prefer want adore".split())
_TIME = TIME.replace("when I was", "when (?:she|he) was")
_PLACE = rf"(?:in|at|to(?! (?:{'|'.join(sorted(BASES))})\b)|from|near) (?:the |a |an |my )?[\w' ]{{2,40}}"
_NO_PLACE = re.compile(r"(?i)\b(?:to (?:be|see|do|have|\w+ing)|at (?:all|least)|in (?:fact|general))\b")
_WITH = re.compile(
    rf" with (?:(?:her|his) {either('relatives')}|(?:some |a few |a |an old )?(?:friends?|coworkers?|family|cousins?)"
    rf"(?: from [a-z ]+)?|[A-Z][a-z]+)( {_TIME})?$"
)
_COUNTED = re.compile(rf"(?:{NUMBERS}) ((?:[a-z]+ )?[a-z]+s)\b(.*)$")
_MEASURE = re.compile(r"(?:year|day|hour|minute|month|week|time|percent|mile)s")
_KIND = re.compile(rf"((?:[\w-]+ ){{0,2}}[\w-]+) ({either('kinds of things')})$")
_NO_KIND = re.compile(r"good|the|new|old|trying new|free|those|certain|\w+ing")
_ACTIVITY = re.compile(r"to (?!think|be|try|visit|see|have|know|believe|hear|keep|say|get|call|use)\w{3,}")
_NAMED = re.compile(r"(?:an? |\w+ )?(dog|cat|son|daughter|puppy|kitten|sister|brother)s? (?:named|called) \w+")
_INSTRUMENT = re.compile(rf"(?:the )?{either('instruments')}\b")
_JOB = re.compile(rf"^an? (?:[a-z-]+ ){{0,2}}{either('jobs')}$")
_STATE = re.compile(rf"(?:(?:very|really|super|pretty|so|also) )?({either('states')}) \S{{3,}}")
_THING = re.compile(
    r"(?:to |at |in |for |on |with )?"
    r"((?:a|an|the|her|his) (?:[\w-]+ ){0,2}[\w-]{4,}|[A-Z][\w']+(?: [A-Z][\w']+)*)$"
)
_TITLE = r"(?:the )?[A-Z][\w'&-]+(?: (?:of|the|and|in|on|to|with|a|[A-Z0-9][\w'&-]*))* ?[A-Z0-9]?[\w'&-]*"
_FAVORITE = re.compile(
    r"(?i)^my (?:all[- ]time )?favou?rite ((?:[a-z-]+ ){0,2}[a-z-]+) "
    r"(?:is|was|are|were|has to be|would be|would have to be) (.+)$"
)
_LIKED = re.compile(
    rf"^(?:I|We) (?:(?:really|absolutely|also|do|did|just|actually|never really|don't|didn't) )*"
    rf"(?:loved?|liked?|hated?|enjoy(?:ed)?|prefer|can't stand|adored?) "
    rf"((?:the movie |the song |the band |the new )?{_TITLE})$"
)
_THOUGHT = re.compile(
    rf"^I (?:(?:really|also|personally|actually|just) )*"
    rf"(?:think|thought|believe|feel like|guess|don't think|didn't think) (?:that )?({_TITLE}) "
    rf"(?:is|was|are|were|will|has|have|had|can|could|should|did|does)\b \S+ .+$"
)


def questions(sentence: str, name: str, woman: bool, chance: random.Random) -> list[Asked]:
    """Questions that the sentence answers, each with its kind."""
    found = list(_opinions(opened(sentence), name, chance))
    statement = stated(sentence, name, woman)
    if statement:
        found += _all(statement, name, chance)
    return [(kind, _finished(text, chance)) for kind, text in found if _clear(text, name)]


def _all(said: Statement, name: str, chance: random.Random) -> Iterator[Asked]:
    """The questions of one statement, by tense."""
    if said.tense == "being":
        yield from _being(said, chance)
    elif said.tense == "never" and re.match(r"(?!to\b)\w+ \w|to [A-Z]", said.rest) and said.base not in _NOT_EVER:
        yield "has", f"Has {said.subject} ever {said.base} {said.rest}"
    elif said.tense == "was" and said.base in {"born", "raised"} and re.match(r"(?:and raised )?in [A-Z\d]", said.rest):
        yield "where", f"{'When' if re.search('[0-9]', said.rest) else 'Where'} was {said.subject} {said.base}"
    elif said.tense == "future":
        yield from _future(said, chance)
    elif said.tense == "progressive":
        yield from _progressive(said, chance)
    elif said.tense in {"perfect", "perfect progressive"}:
        yield from _perfect(said, chance)
    elif said.tense in {"past", "present"}:
        if said.base != "use":
            yield from _removals(said)
            yield from _places(said)
        yield from _preferences(said, chance)
        yield from _possessions(said, chance)
        if said.base not in {"get", "use"}:
            yield from _whole(said, name, chance)


def _opinions(text: str, name: str, chance: random.Random) -> Iterator[Asked]:
    """What someone likes best, or thinks of something that has a name."""
    if best := _FAVORITE.match(text):
        thing = best.group(1)
        yield "favorite", f"What is {name}'s favorite {thing}"
        if not thing.endswith("s"):
            which, most = chance.choice(("Which", "What")), chance.choice(("best", "most"))
            yield "favorite", f"{which} {thing} does {name} like {most}"
    if (liked := _LIKED.match(text)) and len(liked.group(1)) > 4:
        thing = liked.group(1).strip()
        asked = ("What does {} think of", "How does {} feel about", "Does {} like", "What is {}'s opinion of")
        yield "opinion", f"{chance.choice((*asked, 'Who talked about')).format(name)} {thing}"
    if (thought := _THOUGHT.match(text)) and len(thought.group(1)) > 4:
        thing = thought.group(1).strip()
        asked = (
            "What does {} think of",
            "What does {} think about",
            "What did {} say about",
            "What is {}'s opinion on",
        )
        yield "opinion", f"{chance.choice(asked).format(name)} {thing}"


def _removals(said: Statement) -> Iterator[Asked]:
    """Time, duration, reason, company, number or object left out."""
    ask = _asker(said)
    rest, time = _without_time(said.rest)
    if time and rest and said.tense == "past":
        yield "when", f"When {ask} {said.base} {rest}"
    if span := re.search(rf" for ({SPAN})$", said.rest):
        yield "how long", f"How long {ask} {said.base} {said.rest[: span.start()]}"
    if reason := re.match(r"(.{8,}?) because .{8,}$", said.rest):
        yield "why", f"Why {ask} {said.base} {reason.group(1)}"
    if person := _WITH.search(" " + said.rest):
        before = (" " + said.rest)[: person.start()].strip()
        yield "who with", f"Who {ask} {said.base} {before} with{person.group(1) or ''}"
    counted = _COUNTED.match(said.rest)
    if counted and not _MEASURE.search(counted.group(1)):
        after = re.split(" (?:named|called|and|that|who)", counted.group(2))[0]
        yield "how many", f"How many {counted.group(1)} {ask} {said.base}{after}"
    if said.base in _THINGS and time and said.tense == "past" and len(rest.split()) <= 8 and " " in rest:
        yield "what", f"What {ask} {said.base} {time}"


def _places(said: Statement) -> Iterator[Asked]:
    """The place left out, where the verb asks for one and nothing else stands between."""
    rest, time = _without_time(said.rest)
    place = re.match(rf"(.*?)\b({_PLACE})$", rest)
    if not place or said.base not in _GOING | _STAYING or _NO_PLACE.search(place.group(2)):
        return
    before = place.group(1).strip()
    alone = said.base in {"go", "play", "meet", "walk"} and not time  # "Where did she go?" asks too little
    if before in {"", "up", "out"} and not alone:
        yield "where", f"Where {_asker(said)} {said.base} {before} {time}"


def _preferences(said: Statement, chance: random.Random) -> Iterator[Asked]:
    """What someone likes or wants."""
    ask, base, rest = _asker(said), said.base, said.rest
    if said.tense != "present" or base not in _LIKING:
        return
    kind = _KIND.match(rest)
    if kind and not _VAGUE.search(rest) and not _NO_KIND.fullmatch(kind.group(1)):
        yield "what kind", f"What kind of {kind.group(2)} {ask} {base}"
        yield "what kind", f"What {kind.group(2)} {ask} {base}"
    if _ACTIVITY.match(rest) and base not in {"hate", "want"}:
        free = chance.choice((f"in {said.own} free time", "for fun", "as a hobby", f"in {said.own} spare time", ""))
        yield "what to do", f"What {ask} {base} to do {free}"
        if chance.random() < 0.2:
            yield "what to do", f"What {chance.choice(('are', 'is one of'))} {_possessive(said.subject)} hobbies"
    if base == "want" and re.match(r"to \w{3,}", rest):
        yield "did", f"{ask[0].upper()}{ask[1:]} want {rest}"
        if verb := re.match(r"to (become|be|learn|study|visit|buy|get) ", rest):
            yield "what to do", f"What {ask} want to {verb.group(1)}"


def _possessions(said: Statement, chance: random.Random) -> Iterator[Asked]:
    """The name of a pet or child, an old habit, an instrument, a job."""
    ask, base, rest = _asker(said), said.base, said.rest
    if base == "have" and (named := _NAMED.match(rest)):
        yield "name", f"What is the name of {_possessive(said.subject)} {named.group(1)}"
    if base == "use" and (habit := re.match(r"to (\w+) (.+)", rest)) and habit.group(1) in BASES - {"be"}:
        yield "did", f"Did {said.subject} ever {habit.group(1)} {habit.group(2)}"
    if base == "play" and said.tense == "present" and _INSTRUMENT.match(rest):
        yield "what", f"{chance.choice(('What instrument', 'Which instrument', 'What musical instrument'))} {ask} play"
    if base == "work" and said.tense == "present" and re.match(r"(?:as an?|in|at|for) ", rest):
        asked = (f"What {ask} do for a living", f"What is {_possessive(said.subject)} job", f"Where {ask} work")
        yield "job", chance.choice(asked)


def _being(said: Statement, chance: random.Random) -> Iterator[Asked]:
    """I am ...: a job, an origin, a fear, an age."""
    text, subject, whose = f"{said.base} {said.rest}".strip(), said.subject, _possessive(said.subject)
    be, does = ("are", "do") if said.plural else ("is", "does")
    if _JOB.match(re.split(r" (?:at|in|for|and|here|who|with|by)\b", text)[0]):
        asked = (f"What {does} {subject} do for {chance.choice(('a living', 'work'))}", f"What is {whose} job")
        yield "job", chance.choice((*asked, f"What is {whose} profession"))
    if re.match(r"(?:originally )?from [A-Z]\w+", text):
        yield "where", chance.choice((f"Where {be} {subject} from", f"Where {does} {subject} come from"))
    if state := _STATE.match(text):
        yield "what", f"What {be} {subject} {state.group(1)}"
    if re.match(r"\d\d? years old$", text):
        yield "how old", f"How old {be} {subject}"


def _future(said: Statement, chance: random.Random) -> Iterator[Asked]:
    if said.base in NOT_STATED | {"be", "have"}:
        return
    rest, time = _without_time(said.rest)
    if time and rest:
        yield "when", f"When is {said.subject} going to {said.base} {rest}"
        plans = (f"What plans does {said.subject} have {time}", f"What does {said.subject} have planned {time}")
        yield "what plan", chance.choice(plans)
    if said.base in _THINGS and time and " " in rest:
        yield "what", f"What is {said.subject} going to {said.base} {time}"
    yield "is", f"Is {said.subject} going to {said.base} {said.rest}"


def _progressive(said: Statement, chance: random.Random) -> Iterator[Asked]:
    be = "are" if said.plural else "is"
    rest, time = _without_time(said.rest)
    if said.base == "go" and time and re.fullmatch(_PLACE, rest):
        yield "where", f"Where {be} {said.subject} going {time}"
        yield "when", f"When {be} {said.subject} going {rest}"
    if said.base in NOT_STATED | {"go", "do", "have", "get", "look", "try"}:
        return
    doing = gerund(said.base)
    if time and rest:
        yield "when", f"When {be} {said.subject} {doing} {rest}"
    if said.base in _BUSY and said.rest:
        endings = {"for": " for", "about": " about", "to": " to do"}
        ending = endings.get(said.rest.partition(" ")[0], "")
        yield "what", f"What {be} {said.subject} {doing}{ending} {time or chance.choice(('', 'these days'))}"
    yield "who", f"Who is {doing} {said.rest}"


def _perfect(said: Statement, chance: random.Random) -> Iterator[Asked]:
    has = "have" if said.plural else "has"
    going_on = said.tense == "perfect progressive"
    verb = f"been {gerund(said.base)}" if going_on else said.base
    span = re.search(rf" ?(?:for {SPAN}|since .+)$", said.rest)
    kept = said.rest[: span.start()] if span else ""
    if kept and verb != "been":
        yield "how long", f"How long {has} {said.subject} {verb} {kept}"
    if going_on:
        if said.rest and not span and said.base in _THINGS - {"try"}:
            yield "what", f"What {has} {said.subject} {verb} lately"
    elif said.base == "wanted" and re.match(r"to \w+ \w", said.rest):
        do = chance.choice(("do", "do", said.rest[3:].partition(" ")[0]))
        yield "what to do", f"What {has} {said.subject} always wanted to {do}"
        yield "has", f"Does {said.subject} want {said.rest}"
    elif said.base == "been" and re.match(r"to [A-Z]", said.rest):
        asked = (f"Has {said.subject} ever been {said.rest}", f"Has {said.subject} traveled {said.rest}")
        yield "has", chance.choice((*asked, f"Which places has {said.subject} visited"))
    elif said.rest and said.base in PARTICIPLES and said.base not in _NOT_EVER:
        yield "has", f"Has {said.subject} ever {said.base} {said.rest}"


def _whole(said: Statement, name: str, chance: random.Random) -> Iterator[Asked]:
    """Who did this, did they do it, did they mention it."""
    said = replace(said, rest=re.sub(r" just$", "", said.rest))
    words = said.rest.split()
    liked = said.base in _LIKING | {"have", "play", "collect", "teach"}
    if len(words) < (1 if liked else 3) or words[0] == "to" or "like" in words or ("and" in words and len(words) > 6):
        return
    verb = past(said.base) if said.tense == "past" else said.base if said.plural else third(said.base)
    who = "Who" if said.subject == name else f"Whose {said.subject.removeprefix(f'{name}{chr(39)}s ')}"
    their = re.sub(r"\b(?:her|his)\b", "their", said.rest)
    yield "who", f"{who} {verb} {their}"
    ask = _asker(said)
    yield "did", f"{ask[0].upper()}{ask[1:]} {said.base} {said.rest}"
    if said.subject == name and not liked:
        did, mention = chance.choice(("Did", "When did")), chance.choice(("mention", "talk about"))
        yield "mention", f"{did} {name} {mention} {gerund(said.base)} {said.rest}"
        if thing := _THING.match(said.rest):
            yield "what about", f"What did {name} say about {thing.group(1)}"


def _asker(said: Statement) -> str:
    if said.tense == "past":
        return f"did {said.subject}"
    return f"{'do' if said.plural else 'does'} {said.subject}"


def _without_time(rest: str) -> tuple[str, str]:
    """The text without the time at its end, and the time."""
    found = re.search(rf"(?:^| )({_TIME})$", rest, re.IGNORECASE)
    return (rest[: found.start()].strip(), found.group(1)) if found else (rest, "")


def _possessive(subject: str) -> str:
    return f"{subject}'" if subject.endswith("s") and "'s " in subject else f"{subject}'s"


def _clear(question: str, name: str) -> bool:
    """Names what it asks about: no word that points elsewhere, and content of its own besides the name."""
    body = question.replace(f"{name}'s", "").replace(name, "")
    body = re.sub(r"^(?:What|When|Where|Who|Whose|Which|Why|How(?: long| many| old)?|Did|Does|Do|Is|Has)\b", "", body)
    if _VAGUE.search(re.sub(r"when (?:she|he) was", "", body)):
        return False
    words = [word for word in re.findall(r"[A-Za-z'-]+", body) if word.lower() not in _LITTLE]
    short = re.match(r"What kind|What (?:does|do|is|are) |Where |What [a-z]+ does|How (?:old|many)|Which", question)
    return len(words) >= (1 if short else 2) and len(question) < 130


def _finished(question: str, chance: random.Random) -> str:
    """With some words exchanged, spaces in order and a question mark."""
    exchanged = WORDS["exchanged words"]
    words = re.sub(r"\s+", " ", question).strip(" ,.!").split(" ")
    return " ".join(exchanged[word] if word in exchanged and chance.random() < 0.4 else word for word in words) + "?"
