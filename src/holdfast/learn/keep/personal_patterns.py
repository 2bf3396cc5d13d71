"""Patterns of sentences in which people describe themselves, each with its memory type and the question it answers."""

from __future__ import annotations

import re

from holdfast.core.frozen import frozen
from holdfast.learn.keep import cues
from holdfast.text.calendar_words import MONTHS
from holdfast.text.patterns import compiled


@frozen
class PersonalPattern:
    """An expression, the memory type it yields, the question it answers (`slot`), and its first weight (`base`).

    `single`: the slot has one answer at a time.
    """

    expression: str
    type: str
    slot: str
    base: float
    single: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled expression; a hook reads few sentences that need it."""
        return compiled(self.expression)


# Relatives, animals and things people call theirs.
_KIN = """
    wife  husband  partner  girlfriend  boyfriend  son  daughter  kid  child  mother  mom  mum  father  dad  brother
    sister  cousin  aunt  uncle  grandma  grandmother  grandpa  grandfather  friend  boss  manager  colleague  roommate
    neighbou?r  dog  cat  puppy  kitten  pet  horse  parrot  car  team  company  startup
    femme  mari  fils  fille  mère  père  frère  s(?:œ|oe)ur  chien  chat  amie?
"""
_NUMBER = cues.choices(r"""
    \d[\d.,:]*  two  three  four  five  six  seven  eight  nine  ten  eleven  twelve  fifteen  twenty  thirty  a dozen
    deux  trois  quatre  cinq  sept  huit  neuf  dix
""")
_SPAN = (
    rf"(?:{_NUMBER}|an?|one|a few|a couple of|several|(?:over|almost|about) an?|une?|quelques)[ -](?:\w+ )?"
    r"(?:minute|hour|day|week|month|year|decade|heure|jour|semaine|mois|an|année)s?"
)
# Verbs in the past tense for single events.
_DID = """
    went  got  bought  started  finished  completed  attended?  visited  tried  made  met  took  saw  found  lost  ran
    read  wrote  watched  played  joined  signed  adopted  upgraded  changed  moved  spent  caught  won  beat  broke
    sold  paid  received  redeemed  assembled  replaced  installed  planted  baked  cooked  volunteered  graduated  flew
    stayed  ordered  booked  scheduled  reached  earned  wore  had  set  picked  added  learned  helped  organi[sz]ed
    purchased  harvested  hosted  celebrated  injured  hurt
"""
_ENDINGS = "ed  en  ne  ought  ept  ent  ade  un  id  ut  ead  on  it  et  orn"
_OPENERS = """
    oh  and  but  so  also  actually  anyway  well  by the way  btw  speaking of \\w+(?: \\w+){0,4}  in fact
    for context  just so you know  fyi  note that  en fait  au fait  sinon
"""

FIRST_PERSON = cues.words(r"""
    i  i'm  i've  i'd  my  me  mine  we  we've  we're  our  je  j'\w+  mon  ma  mes  nous  notre
""")
WISHES = cues.beginning(
    _OPENERS,
    r"""
    i'm (?:looking (?:for|to|at|into)|trying to (?:find|decide|figure|learn|understand)|wondering|curious|not sure|glad)
    i'm excited to (?:try|see|learn|start)  i need (?:help|some|to|a)  i want (?:to|some|you)  i was wondering
    i (?:hope|wonder|can't wait|appreciate|didn't know|see|understand|agree)  i'd (?:like|love|appreciate|prefer if)
    i'll (?:definitely|try|check|look|start|make|give|keep)  can  could  do  does  what  how  is  are  which  where
    when  why  je (?:cherche|voudrais|veux)  j'aimerais  peux  pouvez
    """,
)
INTENTIONS = cues.words("""
    thinking  considering  planning  wanting  meaning  hoping  trying  looking  wondering  interested in
""")
FIGURE = re.compile(rf"(?<![\w-])(?:{_NUMBER})(?!\w)|\$\d|€\d|\d ?(?:%|€|\$)")
PROPER_NAME = re.compile(r"(?<=[a-z,;:\"'(] )[\"“']?[A-Z][a-zA-Z0-9&'-]+(?<!I'm)(?<!I've)(?<!I'll)(?<!I'd)")
TIMES = cues.words(rf"""
    for (?:about |around |over |almost |nearly )?{_SPAN}  since  every  each  daily  weekly  twice  once  times
    (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?  weekends?  weekdays?  \d{{1,2}}(?::\d\d)? ?[ap]\.?m
    yesterday  last  ago  recently  just  currently  now  so far
    in (?:{"|".join(MONTHS)})
    depuis  chaque  hier
""")
# Openings of a remark nobody asked for.
ASIDE = cues.beginning(
    "oh  and  also",
    "by the way  btw  actually  in fact  speaking of  fyi  for context  just so you know  au fait  en fait",
)
VALUES = frozenset(
    """new first second third fourth fifth currently recently lately just already finally two three four five six seven
    eight nine ten""".split()
)
_OFTEN = "also  already  just  now  currently  still  recently  actually  even"


_HAVE = r"\b(?:i've|i have|we've|we have)"
_ABOUT = "(?: about| around| over| just| only)?"
_SOME = f"(?:an?|{_NUMBER}|my own|several|some)"
_THING = r"[\w'-]+(?: [\w'-]+){0,3}"
_MOODS = "a (?:bit|little|mess)  getting  really  so   very  still  going  not  looking"
_NOT_ACTIONS = "been  got  had  always  heard  never  noticed  decided  considered  thought"


def _pattern(slot: str, type: str, base: float, patterns: str, single: bool = False) -> PersonalPattern:
    return PersonalPattern(cues.choices(patterns), type, slot, base, single)


def _any(expressions: str) -> str:
    return f"(?:{cues.choices(expressions)})"


# Ordered from clear patterns to those that also need a figure, a name or a time; the first match counts.
PATTERNS = (
    _pattern("name", "fact", 0.7, r"""
        (?:^|[,.;-] ?|and )(?:my name is|my name's|i'm called|call me|i go by) \w+
        je m'appelle \w+  appelle[- ]moi \w+
    """, single=True),
    _pattern("has", "fact", 0.6, rf"""
        my (?P<about>{_any(_KIN)})(?:'s name| is named| is called|'s called|, \w+,)
    """, single=True),
    _pattern("lives in", "fact", 0.6, rf"""
        \bi (?:{_any(_OFTEN)} )?(?:live|reside) (?:in|at|near|on|with)  \bi(?:'m| am) (?:\w+ )?(?:based|living) in
        \bi(?:'ve| have)? (?:just |recently )?moved (?:to|back|into)  j'habite  je vis (?:à|en|au)
    """, single=True),
    _pattern("comes from", "fact", 0.6, r"""
        \bi(?:'m| am) (?:originally )?from (?!a |the |my )  \bi (?:grew up|was born) in  je viens de  je suis née?
    """, single=True),
    _pattern("works", "fact", 0.6, r"\bi (?:currently |now )?work (?:at|for|as)  je travaille", single=True),
    _pattern("works", "fact", 0.42, r"""
        \bi (?:currently |now )?work in  \bi(?:'m| am) (?:now )?(?:employed|working) (?:at|for|as)  \bi lead a
        \bmy (?:new |current |previous |old |last )?(?P<about>job|role|position|employer|company|occupation)\b
    """),
    _pattern("is", "fact", 0.45, r"""
        \bi(?:'m| am) an? (?!bit|little|huge|big|fan|lot)(?:\w+ ){0,3}?\w*(?:er|or|ist|ian|[ae]nt|yst|ect)\b
        je suis (?:une? )?\w+(?:eur|euse|ien|ienne|iste|ante?)\b
    """),
    _pattern("age", "fact", 0.6, r"\bi(?:'m| am) \d{1,2} years old  j'ai \d{1,2} ans", single=True),
    _pattern("age", "fact", 0.5, r"""
        \bi (?:just )?turned \d\d  \bmy (?:\d+(?:st|nd|rd|th) )?birthday\b
    """, single=True),
    _pattern("is", "fact", 0.65, r"""
        \bi(?:'m| am) (?:allergic|intolerant|vegan|vegetarian|pescatarian|diabetic|pregnant|married|single|divorced)
        \bi(?:'m| am) (?:engaged|left-handed|colou?r ?blind)  je suis (?:allergique|végétarien(?:ne)?|végan|mariée?)
    """),
    _pattern("formerly", "fact", 0.3, r"""
        \bi used to (?:be|work|live|play|smoke|have|own)\b  \bmy (?:previous|former|maiden) (?P<about>\w+)
        \bmy old (?:name|job|role|boss|company|address|number|apartment|house|school)\b
    """),
    _pattern("favourite", "preference", 0.4, r"""
        \bmy (?P<about>(?:all-time )?(?:favou?rite|fave) \w+(?: \w+)?)  m(?:on|a|es) \w+ préférée?s?
    """),
    _pattern("prefers", "preference", 0.6, r"""
        \bi (?:\w+ly )?(?:always )?(?:prefer|hate|dislike|despise|can't stand|cannot stand)\b
        \bi don't (?:like|eat|drink|use)\b
        je (?:préfère|déteste|n'aime pas|ne mange pas|ne bois pas|évite)
    """),
    _pattern("likes", "preference", 0.28, r"""
        \bi (?:\w+ly |also |just )?(?:like|love|enjoy|adore)\b(?! (?:the (?:idea|sound)|that|those|these|to know|your))
        \bi(?:'m| am) (?:\w+ly |also |a (?:big |huge )?)?(?:into|fan of|interested in|passionate about)\b
        j'(?:aime|adore)
    """),
    _pattern("does", "fact", 0.25, rf"""
        {_HAVE} (?:\w+ly |{_any(_OFTEN)} )*been (?P<about>\w+ing\b.*?) (?:for|since|every)
        {_HAVE} (?:\w+ly |{_any(_OFTEN)} )*been \w+ing\b.*? (?:twice|(?:{_NUMBER}) times)
        depuis (?:{_SPAN}|\d)
    """),
    _pattern("does", "fact", 0.14, r"\b(?:i've|i have) been (?P<about>\w+ing\b(?: \w+){0,4})"),
    _pattern("their", "fact", 0.21, rf"""
        \bmy (?P<about>[a-z][\w '-]{{2,40}}?) (?:is|are|was|has|takes|costs?|starts?|ends?|lasts?) (?!{_any(_MOODS)})
    """),
    _pattern("has", "fact", 0.21, rf"""
        (?:{_HAVE}|\b(?:i|we))(?: {_any(_OFTEN)})* (?:got|have|own|keep){_ABOUT} {_SOME} (?P<about>{_THING})
        j'ai (?:une?|deux|trois|\d+) (?!questions?|problèmes?|ans)\w+  nous avons (?:une?|deux|trois|\d+) \w+
    """),
    _pattern("has done", "fact", 0.21, rf"""
        {_HAVE}(?: {_any(_OFTEN)})* (?!{_any(_NOT_ACTIONS)})(?P<about>\w+{_any(_ENDINGS)}\b.*)
    """),
    _pattern("usually", "fact", 0.25, r"""
        \bi(?: usually| typically| normally| often| generally| tend to| always| try to)+ (?P<about>\w+(?: \w+){0,4})
        \bwhich i usually\b  \bi \w+ (?:\w+ ){0,6}(?:every|each|on weekdays|on \w+days|twice a|once a)
        d'habitude  en général je
    """),
    _pattern("now", "fact", 0.21, r"""
        \bi(?:'m| am) (?:currently |now |already )+(?:on|at|in|reading|learning|training|studying|working|close)\b
        \bi(?:'m| am) (?:currently |now |already )*(?:using|learning|studying|training for|taking|attending)\b
        \bi use\b  \bi switched\b
    """),
    _pattern("did", "fact", 0.14, rf"""
        \bi (?:(?:{_any(_OFTEN)}|finally|once|initially|did) )*(?P<about>{_any(_DID)}\b.*)
        j'ai (?:acheté|commencé|fini|visité|rencontré|perdu|adopté|changé|déménagé|reçu)
    """),
)  # fmt: skip
