"""Decides whether a word that is also a common word is used as a person's name: *Mark said*, but not *Mark the ticket*.

Looks at capitals, the words beside it and the position in the sentence. Without evidence for a name, it is a word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from holdfast.entities.first_names import TITLES
from holdfast.text.names import NameToken
from holdfast.text.stop_words import STOP_WORDS

# What people do; a name stands before these words. English, then French.
_ACTIONS = frozenset(
    "said says told tells asked asks wants wanted likes liked loves loved hates hated thinks thought prefers"
    " preferred needs needed works worked lives lived owns owned knows knew moved moves joined joins left leaves"
    " wrote writes sent sends got gets gave gives went goes came comes made makes took takes met meets called calls"
    " agreed agrees approved approves reviewed reviews decided decides suggested suggests mentioned mentions"
    " reported reports fixed fixes merged merges deployed deploys pushed pushes committed broke breaks found finds"
    " kept keeps ran runs handles handled leads led manages managed maintains maintained started starts stopped"
    " stops finished finishes booked ordered bought buys sold paid pays cooked eats ate drinks plays played teaches"
    " taught studies studied speaks spoke turned turns became becomes recommended recommends insisted insists"
    " promised promises proposed proposes objected rejected rejects signed signs confirmed confirms complained"
    " complains replied replies answered answers explained explains noticed notices forgot forgets remembered"
    " remembers refused refuses worries enjoys enjoyed hopes hoped plans planned tried tries believes believed felt"
    " feels seemed seems looked looks visited visits returned returns arrived arrives sings travelled traveled"
    " celebrated celebrates turning coming joining leaving taking working already also never always usually often"
    " just still probably definitely apparently recently really dit disait veut voulait prefere preferait pense"
    " pensait aime aimait habite habitait travaille travaillait vient va sait savait demande demandait propose"
    " proposait arrive arrivait souhaite deteste gere dirige set put built chose drove fell held lost picked dropped"
    " raised opened closed created added removed changed updated brought introduced showed helped used tested"
    " shipped released emailed texted flagged assigned requested scheduled cancelled canceled organised organized"
    " hosts hosted retired resigned quit presented presents prepares prepared designs designed builds covers covered"
    " sits sat stands stood wins won waits waited passed earned grew swims walks drives hurt passe prend part doit fait"
    " donne rend reste revient emmene ramene recupere envoie reprend prepare garde finit termine appelle rappelle"
    " signe relit relance valide attend cherche trouve met lit ecrit sort rentre conduit paie joue apporte".split()
)
# What people and things do; evidence at the start of a sentence only.
_STATES = frozenset(
    "is was has had will would can could should must might may does did doesn didn isn wasn hasn hadn won wouldn"
    " can couldn shouldn s ll d and or from est a etait avait doit peut sera aura n m ne et ou nous vous me te lui leur"
    " se".split()
)
# A name stands after these, whatever its case.
_ADDRESSED = frozenset(
    "ask asked asking tell told telling ping pinged met meet call called calling email emailed cc hi hey hello dear"
    " thanks thank miss missed invite invited hire hired marry married named demande demander demandez dis bonjour"
    " salut merci chere cher mr mrs ms dr prof mme mlle monsieur madame docteur sister brother wife husband partner"
    " colleague boss manager friend son daughter mother father aunt uncle cousin soeur frere femme mari collegue"
    " amie ami cousine tante oncle fils fille chef cheffe chez".split()
)
# What people are; after an article and one of these a capitalised word is a name: *the intern Grace*.
_ROLES = frozenset(
    "intern neighbour neighbor plumber landlord landlady vet designer developer dev engineer teacher tutor lawyer"
    " dentist accountant cleaner gardener driver trainer babysitter nanny roommate flatmate client customer student"
    " trainee assistant owner grandson nephew niece girlfriend boyfriend baby stagiaire voisin voisine plombier nounou"
    " proprietaire medecin avocat avocate comptable infirmier infirmiere maitresse directeur directrice cliente copain"
    " copine colocataire neveu bebe apprenti patron patronne".split()
)
_DETERMINERS = frozenset(
    "the a an this that these those our your its every each any some no another le la les un une des ce cette ces"
    " du au aux chaque quelque".split()
)
_TIMES = frozenset(
    "january february march april may june july august september october november december summer autumn winter"
    " spring easter day sunday monday noel avril mai mars juin juillet aout".split()
)
# After these, a person may follow, or what they are: *our Max*, *our electrician Frank*.
OWN = frozenset("our your notre nos votre".split())
_BEFORE_TIMES = frozenset(
    "in on by since until till from through during before after around early late mid next last this of between"
    " every each end middle beginning en au depuis jusqu avant apres debut fin mi de d".split()
)
# After these, a name that is also a place or a product means that.
_BEFORE_PLACES = frozenset(
    "in at to from near into around via visit visited visiting toward towards using through outside across san"
    " santa en a au vers depuis pres dans".split()
)
_WORD_USES = frozenset(
    "the a an it this that these those them all my your our his her its their each every any as you we they i he"
    " she there not to of no some more one up out off down be le la les un une des ce cette que qui".split()
)
# Words that may begin a sentence before a name; another capitalised word there is part of another name.
_BEFORE_NAMES = (
    _ADDRESSED
    | STOP_WORDS
    | TITLES
    | frozenset(
        "yesterday today tomorrow tonight then later meanwhile otherwise instead plus maybe perhaps monday tuesday"
        " wednesday thursday friday saturday sunday hier aujourd demain lundi mardi mercredi jeudi vendredi samedi"
        " dimanche selon according".split()
    )
)
# What a name follows that says how something is made: *built with Hugo*, *written in Ruby*.
_MADE = frozenset(
    "built written made powered developed generated deployed hosted coded implemented rendered running runs based"
    " construit ecrit developpe genere heberge code".split()
)
_WITH = frozenset("with in on using en avec sur".split())
# Before a place, if no possessive follows; after the words of _TRUSTS a person may follow too: *loop in Grace*.
_INSIDE = frozenset("in near outside across throughout".split())
_TRUSTS = frozenset(
    "interest interested believe believed believes trust faith confidence confident loop looped looping bring brought"
    " bringing rope roped pull pulled fill filled call called let dial add added".split()
)
# After these, `to` leads to a person: *give the charger to Paris*; within this many words.
_GIVES = frozenset("give gave given hand handed forward forwarded lend lent assign assigned owe owes".split())
_GIVEN_WITHIN = 7
_STREETS = frozenset(
    "rue avenue boulevard quai impasse allee mont lac gare lycee college hopital pont stade lake mount port fort cape"
    " hurricane cyclone prix".split()
)
_OTHERS = frozenset("another other different autre".split())
_VERSION = re.compile(r" v?\d+(?:\.\d+)+| v\d")
# After a verb and before its object.
_OBJECTS = frozenset(
    "the a an his her my our your their every all le la les un une des son sa ses leur leurs notre nos du au aux l"
    " it them him us me you".split()
)
_START = re.compile(r"(?:^|[.!?:;…\n\r•\"“«(\[])[\s\"'“”«»(\[*_>#-]*(?:\d+[.)]\s*)?$|^[\s>*#-]*$")


class TextCase:
    """A text in which words are judged, with the words in order."""

    def __init__(self, text: str, tokens: Sequence[NameToken]) -> None:
        self.text = text
        self.tokens = tokens

    @cached_property
    def informative(self) -> bool:
        """Do capitals mean anything here? In a title or a shout they say nothing about names."""
        starts = [self.text[token.start] for token in self.tokens if self.text[token.start].isalpha()]
        capitals = sum(letter.isupper() for letter in starts)
        return any(map(str.islower, starts)) and (len(starts) < 4 or capitals <= 0.6 * len(starts))

    def word(self, place: int) -> str:
        """The folded word at a place; empty outside the text."""
        return self.tokens[place].word if 0 <= place < len(self.tokens) else ""

    def written(self, place: int) -> str:
        """The word at a place as written; empty outside the text."""
        return self.text[self.tokens[place].start : self.tokens[place].end] if 0 <= place < len(self.tokens) else ""

    def gap(self, place: int) -> str:
        """The characters between a word and the next."""
        end = self.tokens[place + 1].start if place + 1 < len(self.tokens) else len(self.text)
        return self.text[self.tokens[place].end : end]

    def is_capitalised(self, place: int) -> bool:
        """Does the word begin with a capital letter?"""
        return 0 <= place < len(self.tokens) and self.text[self.tokens[place].start].isupper()

    def is_determined(self, place: int) -> bool:
        """Does an article or the like stand before the word? The French *à* is none, nor is *that* before a name."""
        before = self.written(place - 1).lower()
        if before == "that" and self.is_capitalised(place):
            return False
        elided = before == "l" and self.gap(place - 1) in ("'", "’")
        return elided or (self.word(place - 1) in _DETERMINERS and before != "à" and not self.gap(place - 1).strip())

    def starts_sentence(self, place: int) -> bool:
        """Is the word the first of a sentence or a line?"""
        at = self.tokens[place].start
        return _START.search(self.text[max(0, at - 12) : at]) is not None and (at <= 12 or self._ends_before(at))

    def _ends_before(self, at: int) -> bool:
        # The pattern sees twelve characters; `^` matches their beginning, which is none of the text.
        return re.search(r"[.!?:;…\n\r•\"“«(\[]", self.text[max(0, at - 12) : at]) is not None


def is_name(case: TextCase, first: int, last: int) -> bool:
    """Is the ambiguous word from token `first` to `last` a person's name here?"""
    before, after = case.word(first - 1), case.word(last + 1)
    touches = not case.gap(last).strip()
    if first and before in _ADDRESSED and not case.gap(first - 1).strip(" ,.:"):
        is_written_as_name = case.is_capitalised(first) and case.informative
        return is_written_as_name or after == "to" or not (touches and after in _WORD_USES)
    if not case.is_capitalised(first) or not case.informative:
        return _acts(case, first, last, before) or _owns(case, first, last)
    if _is_time_or_place(case, first, last, before, after) or _ends_phrase(case, first, last):
        return False
    if case.starts_sentence(first):
        return _begins_with_name(case, last, after)
    return not case.is_determined(first) or case.gap(last).startswith(("'", "’"))


def is_other_use(case: TextCase, place: int) -> bool:
    """Does a word beside any single name say that it is a place, a product or somebody else?

    *in Nancy*, *rue Victor*, *built with Hugo*, *Julia 1.10*, *un autre Paul*.
    """
    before, owns = case.word(place - 1), case.gap(place).startswith(("'", "’"))
    if place and not case.gap(place - 1).strip(" "):
        is_place = before in _INSIDE and case.word(place - 2) not in _TRUSTS and not owns
        is_product = before in _WITH and case.word(place - 2) in _MADE
        if is_place or is_product or before in _STREETS or before in _OTHERS:
            return True
    return _VERSION.match(case.text, case.tokens[place].end) is not None


def _ends_phrase(case: TextCase, first: int, last: int) -> bool:
    """Is it the end of the name of a thing: *the river Jordan*, *my aunt's Will*, *Amazing Grace is …*?"""
    before = first - 1
    if before < 0 or case.gap(before).strip():
        return False
    if case.word(before) == "s" and case.gap(before - 1) in ("'", "’"):
        return case.word(before - 1) not in STOP_WORDS  # `that's Grace`
    if not case.is_capitalised(before):
        is_person = case.word(before) in _ROLES or case.word(before) in _BEFORE_NAMES
        return case.is_determined(before) and not is_person and case.word(before - 1) not in OWN
    leads = case.word(before) in _BEFORE_NAMES or case.word(before).endswith("ly")
    acts = not case.gap(last).strip() and case.word(last + 1) in _STATES
    return case.starts_sentence(before) and acts and not leads


def _has_acted(case: TextCase, place: int) -> bool:
    """Do a French auxiliary and a participle stand here: *a dit*, *a proposé*?"""
    participle = case.written(place + 1).lower()
    return case.written(place) == "a" and (participle.endswith("é") or participle in _PARTICIPLES)


def _acts(case: TextCase, first: int, last: int, before: str) -> bool:
    """Without capitals, a name begins a clause and does what only people do."""
    begins = case.starts_sentence(first) or bool(case.gap(first - 1).strip()) or before in ("and", "but", "that", "et")
    return begins and not case.gap(last).strip() and case.word(last + 1) in _ACTIONS and before not in _DETERMINERS


def _owns(case: TextCase, first: int, last: int) -> bool:
    """Does a possessive follow, as in *mark's parser*? Times and places have things too."""
    owns = case.gap(last) in ("'", "’") and case.word(last + 1) == "s"
    return owns and not (case.is_determined(first) or case.word(first) in _TIMES | _PLACES)


def _begins_with_name(case: TextCase, last: int, after: str) -> bool:
    """At the start of a sentence a capital says nothing; what follows decides."""
    gap = case.gap(last)
    if gap.startswith(("'", "’")) and after in ("s", "ll", "d"):
        return True
    if gap.strip():
        return gap.lstrip()[0] in ",:&+/" or (gap.startswith("-") and case.is_capitalised(last + 1))
    if _has_acted(case, last + 1):
        return True
    if after in _WORD_USES:
        return False
    acted = after in _ACTIONS or after in _STATES or (after.endswith("ed") and len(after) > 4)
    acted = acted or _acts_on_something(case, last + 1)
    return acted or (case.is_capitalised(last + 1) and len(after) > 1)


def _acts_on_something(case: TextCase, verb: int) -> bool:
    """Does a word follow that has an object, as *drew the plan*? Then it is a verb."""
    word, follows = case.written(verb), not case.gap(verb).strip(" '’")
    return word.islower() and case.word(verb) not in STOP_WORDS and follows and case.word(verb + 1) in _OBJECTS


def _is_time_or_place(case: TextCase, first: int, last: int, before: str, after: str) -> bool:
    word = case.word(first)
    if word in _TIMES:
        beside_number = before.isdigit() or (after.isdigit() and not case.gap(last).strip(" ,."))
        return beside_number or before in _BEFORE_TIMES or (before in ("to", "and") and _names_time(case, first - 2))
    if before == "to" and any(case.word(first - back) in _GIVES for back in range(2, _GIVEN_WITHIN)):
        return False
    # `from Amman, Jordan`
    listed = case.gap(first - 1).startswith(",") and case.is_capitalised(first - 1)
    return bool(first) and word in _PLACES and (case.word(first - 2) if listed else before) in _BEFORE_PLACES


def _names_time(case: TextCase, place: int) -> bool:
    return case.word(place) in _TIMES or case.word(place).isdigit()


_PARTICIPLES = frozenset(
    "dit fait vu eu pris mis écrit voulu reçu ouvert choisi fini rejoint promis répondu perdu lu cru su pu dû offert"
    " fourni appris compris permis remis servi suivi vendu rendu attendu".split()
)
_PLACES = frozenset(
    "paris london austin jordan madison chelsea florence sydney georgia virginia dakota carolina lorraine savannah"
    " brooklyn denver phoenix houston dallas israel china india asia america africa ireland chad cuba kenya malta"
    " vienna valencia verona sienna lisbon geneva boston berlin milan rome orlando washington wellington arizona"
    " nevada alabama montana missouri columbia columbus venice melbourne bali sierra alberta camden france york"
    " texas louisiana rust ruby perl django flask crystal opal ember jade jest mocha elm".split()
)
