"""Recognises lines that mention something by a pronoun or another pointer although nothing in the line names it."""

from __future__ import annotations

import re

from holdfast.learn.keep import cues
from holdfast.learn.keep.personal_patterns import PROPER_NAME
from holdfast.learn.keep.sentences import content_words
from holdfast.text.stemming import stem
from holdfast.text.stop_words import STOP_WORDS

# A pronoun for a thing needs this many words of meaning before it, or a name.
_NOUNS = 3
# `it` that stands for nothing: `it's important`, `it turns out`, `make it easier`.
_DUMMY = re.compile(
    r"(?<![\w'])(?:it(?:'s|'d|'ll| is| was| would| will| might| may)? (?:be |been |really |very |also |not |so "
    r"|quite |a bit "
    r"|just |pretty |always |probably |only |more |still |kind of )*(?:important|essential|good|great|nice|hard"
    r"|easy|easier"
    r"|better|best|possible|impossible|clear|likely|time|worth|okay|ok|fine|helpful|useful|interesting"
    r"|necessary|true|late"
    r"|early|difficult|amazing|fun|tough|fair|critical|vital|crucial|safe|common|raining|a (?:good|great|bad"
    r"|nice|shame|pity)"
    r"|been (?:a|ages|years|months|weeks|days|\d+))(?![\w'])|it (?:seems|turns out|turned out|seemed|looks like"
    r"|takes|took|(?:makes|doesn't make) sense"
    r"|depends|feels like|sounds like)(?![\w'])"
    r"|(?:make|makes|making|made|find|finds|found|keep) it (?=\w+(?:er|y|le|ul|ing|ar|rd)?\b)|it'd be"
    r"|as it (?:is|were)"
    r"|(?:hate|love|like|appreciate|prefer|mind) it (?=when|if|that)"
    r"|il (?:faut|fallait|faudrait|y a|y avait|est (?:important|possible|interdit|temps|clair|utile|préférable))"
    r"|c'est (?:important|possible|interdit|moi|mon|ma|mes|notre|nous)|ce qu\w+|that's (?:why|how|when|where"
    r"|what) (?=\w))"
)
_PERSON_NOUN = cues.words(r"""
    (?:grand)?(?:mother|father|ma|pa)  mom  mum  dad  sister  brother  son  daughter  wife  husband  aunt  uncle
    cousin
    niece  nephew  friend  boyfriend  girlfriend  partner  colleague  boss  manager  coach  teacher  professor  doctor
    therapist  dentist  vet  neighbou?r  roommate  guy  man  woman  girl  boy  kid  child  baby  person  lady  someone
    somebody  anyone  everyone  nobody  whoever  user  customer  client  developer  author  engineer  owner  mr
    mrs  ms
    dr  minister  member  witness  president  director  speaker  landlord  trainer  instructor  actor  artist
    singer  who  dog
    cat  pet  puppy  kitten  mère  père  s[oœ]ur  frère  fils  fille  femme  mari  ami  amie  collègue  chef  médecin
    personne  client  cliente  chien  chat  madame  monsieur
""")
_PLURAL_NOUN = re.compile(
    r"(?<![\w'])(?!(?:is|was|has|does|this|as|its|his|us|yes|always|perhaps|plus|sometimes|besides|lots|thanks"
    r"|mes|nos|vos|les"
    r"|des|ces|ses|dans|pas|je|suis|vous|nous|plus|sous|lois)\b)"
    r"(?:\w{2,}[^\Wsui_]s|people|children|kids|men|women|parents|police|team|staff|government|company|committee"
    r"|family|group"
    r"|everyone|everybody|anyone|anybody|someone|data|folks|couple|band|crew|gens)(?![\w'])"
)
_NOUN_PHRASE = re.compile(r"\b(?:an?|the|my|our|your|each|every|un|une|le|la|mon|ma|notre|chaque) \w{3,}")
_HE = r"(?:he|she|him|his|her|hers|himself|herself|he's|she's|he'll|she'll|he'd|she'd|elle|lui)"
_THEY = r"(?:they|them|their|theirs|they're|they've|they'll|they'd|ils|elles|leurs?|eux)"
_THING = (
    r"(?:it|it's|its|it'll|it'd|ones|the one|that one|this one"
    r"|(?:see|get|buy|find|try|want|need|make|use|new|different|good|better|other|specific|another|have|got"
    r"|bought) one"
    r"|(?:^|(?<=[.;:,—] ))(?:that|this)(?:'s|'ll|'d)"
    r"|(?:that|this)(?= (?:is|are|was|were|will|would|can|could|should|has|had|does|did|for|in"
    r"|on|at|from"
    r"|with|as|when|if|because|too|and|or|instead|way|means|makes|happens|one|again|also|anyway)\b|[.,;:!?)]|$)"
    r"|this(?= (?:by|before|after|into|out|up|now|here|a|to|since|without|through)\b)"
    r"|(?:these|those)(?= (?:is|are|was|were|will|would|can|should|have|had|do|for|in|on|from|with|and)\b|[.,;!?)]|$)"
    r"|(?:go|goes|going|went|been|get|live|lived|move|moved|stay|stayed|work|worked|over|out|from|back) there"
    r"|ça|cela|celui-ci|celle-ci|celui-là|celle-là|l'(?:ai|as|a|avons|avez|ont|avais|avait|aime|utilise)(?= \w))"
)
_PRONOUN = re.compile(rf"(?<![\w'-])(?:(?P<he>{_HE})|(?P<they>{_THEY})|(?P<thing>{_THING}))(?![\w'-])")
_FIRST_IS_SUBJECT = re.compile(
    r"\S+ (?:is|are|was|were|has|had|will|can|must|should|would|does|did|\w{2,}s|\w{2,}ed|est|sont|a|ont)\b"
)
# Words that point to what was done or said just before, whatever the line names.
_POINTER = cues.words(r"""
    (?:do|does|doing|did|done) (?:that|this|so|the same)(?= |[.,;!?]|$)(?! (?:i|you|we|they|he|she|it|the|my|our)\b)
    (?:about|of|with|for|to|than|after|before|besides|on) (?:that|this)(?=[.,;!?]|$| too| as well| again)
    (?:(?<!thing )(?<!things )like|at|in|from|into|through|over) (?:that|this)(?=[.,;!?]|$| too| as well| again)
    the others(?=[.,;!?]| (?:is|are|can|should|must|will|need)\b|$)
    the (?:above|aforementioned|former|latter|same one|other ones?|other two|first one|second one|last one)
    if (?:that's|that is|this is|so)(?= the case|,)  as follows  (?:for|of|on|in|with|at|do|to) both(?=[.,;!]|$)
    (?:address|fix|do|in|see) \#?\d(?=[,.;]|$| first\b| instead\b)
    (?:do|does|doing|did) this (?:i|you|we|they|i'll|we'll|we're)
    the following(?=[.:]|$| (?:things?|points?|reasons?)\b)
    the (?:first|second|last) part (?:is|was)  à ce sujet  comme ça
    faire (?:ça|cela|pareil)  in that case  at that point  under that  on that (?:note|front|one)
    (?:fix(?:es)?|solves?|handles?|address(?:es)?|avoids?|prevents?|mitigates?) this
""")
# A noun after `this` or `those`, which must be named before.
_DEMONSTRATIVE = re.compile(
    r"(?<![\w'-])(?:this|these|those|(?:in|on|at|of|for|with|by|from|to|about|under|ce|cet|cette"
    r"|ces)(?<!\bce)(?<!\bto)(?: exactly| just)? that)"
    r" (?P<noun>[a-z][\w-]*)(?: (?P<next>[a-z][\w-]*))?"
)
# A clause after a noun that says which one is meant: `those lists where …`
_SAYS_WHICH = frozenset("who that which where whose for qui que dont où".split())
_DEICTIC = frozenset(
    """week weekend month year morning afternoon evening night time summer winter spring autumn fall semester quarter
    sprint season day days weeks months years century project repo repository codebase conversation chat session
    meeting
    country city town house room area line branch file folder directory package app application workspace monorepo job
    company team committee parliament place world is are was were will would can could has had does did means way kind
    sort type happens and or for in on at with as when if because who that which where to of from far much many since
    i you we he she it they there the a an my your our some all any every no not being been early late century
    particular
    page screen pr fix ticket bill act motion programme program product device
    government house pandemic holiday past coming next last stuff monday tuesday wednesday thursday friday saturday
    sunday came come went go got get made make need look seem work stay
    semaine mois année matin soir projet dépôt ville pays fois""".split()
)
_HALF = re.compile(
    r"(?<![\w'-])(?:the|an?|and|but|or|nor|if|because|my|your|our|their|than|very|which|while|it's|i'm|we're"
    r"|you're|they're"
    r"|le|la|les|un|une|des|du|et|ou|mais|que|qui)[,…\"'”)]*[.!]?$|[,—–-]\s*[.!]?$|(?:\.\.\.|…)$"
    r"|(?<![\w'-])(?:of|to|for|with|is|are|was|were|at|by|from|as|like|into|de|pour|avec|dans|par|sur|est|sont)$"
)
# A sentence that begins with one of these is about something named before.
_POINTS_BACK = re.compile(
    r"(?:it|its|it's|that|that's|this|these|those|they|they're|them|he|he's|she|she's|his|her|their|both"
    r"|neither|either|then|same|such|the (?:same|rest|other|others|latter|former)|everything else|which|because|cuz"
    r"|whereas|or|than|not|only|otherwise"
    r"|ça|cela|ce|c'est|c'était|il|elle|ils|elles|leurs?|celui|celle|ceux|les deux|sinon|sauf|pas)(?![\w-])"
)


def points_back(line: str) -> bool:
    """Does a line begin with a word for something named before, such as `it` or `both`?"""
    return _POINTS_BACK.match(cues.plain(line)) is not None


def refers_back(line: str) -> bool:
    """Does the line point to something that it does not name before?"""
    text = line.replace("*", "").replace("“", '"')
    plain = _DUMMY.sub(lambda found: "·" * len(found[0]), cues.plain(text))
    if _POINTER.search(plain) is not None:
        return True
    return any(not _is_named(found, text) for found in _PRONOUN.finditer(plain)) or _points_to_noun(plain)


def is_half(line: str) -> bool:
    """Does the line break off: after an article, a conjunction or a comma?"""
    return _HALF.search(line.lower()) is not None


def _is_named(pronoun: re.Match[str], text: str) -> bool:
    before = text[: pronoun.start()]
    if pronoun["he"]:
        return _PERSON_NOUN.search(cues.plain(before)) is not None or _has_name(before)
    if pronoun["they"]:
        return _PLURAL_NOUN.search(before.lower()) is not None or _has_name(before)
    count = len(content_words(before))
    return count >= _NOUNS or _has_name(before) or (count > 1 and _NOUN_PHRASE.search(before.lower()) is not None)


def _has_name(before: str) -> bool:
    """Is there a name or code, or is the first word a name, as the subject of a verb?"""
    if PROPER_NAME.search(before) is not None or "`" in before or "_" in before:
        return True
    first = before.split(" ", 1)[0].strip(":,.'\"")
    named = len(first) > 1 and first[0].isupper() and first.lower() not in _NO_NAMES
    return named and _FIRST_IS_SUBJECT.match(before) is not None


def _points_to_noun(plain: str) -> bool:
    for found in _DEMONSTRATIVE.finditer(plain):
        noun, after = found["noun"], found["next"] or ""
        if noun in _DEICTIC or noun in STOP_WORDS or after in _SAYS_WHICH:
            continue
        if not {stem(noun), stem(after)} & {*content_words(plain[: found.start()])}:
            return True
    return False


# Words that often begin a sentence and are no names.
_NO_NAMES = frozenset(STOP_WORDS) | frozenset(
    """i'm i've i'll i'd we're we've we'll let's don't use keep make put set run add get go give take tell show
    write ask
    check always never please maybe since because after before when while although though however specifically also
    plus
    just instead finally currently recently lately originally basically honestly speaking yes no ok okay well so yeah
    imagine suppose remember note try treat return drop skip leave should must can could would will did does do is are
    en le la les un une on nous je tu il elle ils elles mais donc alors quand si avec pour sans dans chez après
    avant""".split()
)
