"""Recognises prompts that are errands: an answer, thanks, or housekeeping with git, which name no subject.

Their few words occur in many messages, so that a search finds much and nothing of it helps.
"""

from __future__ import annotations

from holdfast.text.similarity import content_words
from holdfast.text.stemming import stem
from holdfast.text.stop_words import STOP_WORDS
from holdfast.text.words import words

_ANSWERS = """
    yes yeah yep yup no nope ok okay k sure thanks thank thx cheers great good nice cool perfect awesome excellent fine
    right correct exactly agreed agree sounds looks lgtm done please pls continue proceed go ahead keep going carry next
    again retry try wait stop hold nevermind never mind hi hello hey well alright let lets us want need do it
    oui ouais non merci parfait super bien bon bonne bonjour salut accord continue continuez continuer vas va allez
    allons vas-y suite suivant encore stp svp plaît plait fait fais faites génial nickel
"""
_GIT = """
    git main master branch branches checkout pull fetch push pushed commit commits committed merge merged rebase stash
    pr prs mr origin upstream branche pousse pousser fusionne fusionner
"""
_AROUND_GIT = """
    switch request remote latest back up date get create open make new changes change all everything repo repository
    local status log diff clean current same bascule tire tirer valide valider récupère reviens revenir retourne
    retourner crée créer ouvre ouvrir dernier dernière derniers changements modifications tout toutes
"""
_SUBJECTS = frozenset(map(stem, _GIT.split()))
_WORDS = frozenset(f"{_ANSWERS} {_GIT} {_AROUND_GIT}".split())


def is_errand(prompt: str) -> bool:
    """Has a prompt only words that answer, thank or ask for housekeeping with git?"""
    said = words(prompt)
    return bool(said) and all(word in _WORDS or word in STOP_WORDS for word in said)


def is_about_errand(text: str, prompt: str) -> bool:
    """Does a text name what an errand is about, such as `push`?"""
    return not _SUBJECTS.isdisjoint(content_words(prompt) & content_words(text))
