"""Recognises prompts that ask for advice about a person's own life: what to cook, where to go, what to give.

They share no words with what they need: "suggest a dinner" with "I'm vegetarian". A prompt must name such a topic, ask
for advice, and have no sign of software, because an application may be about restaurants.
"""

from __future__ import annotations

import re
from functools import cache

from holdfast.text.stemming import stem
from holdfast.text.words import words

LONGEST = 600
_LIMITS = re.compile(
    r"\b(?:vegetarian|vegan|pescatarian|halal|kosher|gluten|lactose|celiac|coeliac|diabetic|allerg\w*|intoleran\w*|pregnant"
    r"|wheelchair|afraid|(?:don't|doesn't|can't|cannot|do not|does not|never) (?:eat|drink|like|drive|fly|swim)\w*"
    r"|végétari\w+|végétali\w+|casher|cœliaque|diabétique|enceinte|ne (?:mange|bois|conduis|supporte))\b",
    re.IGNORECASE,
)
_TOPICS = """
    breakfast brunch lunch dinner supper meal meals snack dessert cake cook cooking recipe eat food hungry groceries
    grocery shopping picnic barbecue restaurant cafe wine beer cocktail drink menu dish guests party birthday
    anniversary wedding christmas gift present holiday holidays vacation trip travel weekend hotel flight museum hike
    hiking beach excursion film movie series novel book books podcast music concert playlist workout exercise gym fit
    fitness yoga sport jogging diet sleep wear outfit clothes hobby hobbies mother father mom dad daughter son wife
    husband kids children friends girlfriend boyfriend family tonight evening celebrate restaurants souper dîner diner
    déjeuner goûter repas manger cuisiner cuisine recette gâteau vin bière apéritif plat courses resto
    cadeau anniversaire mariage noël vacances voyage sortie hôtel musée randonnée plage soir soirée
    série livre lire roman musique dormir sommeil tenue habiller loisir enfants fille fils mère père frère sœur soeur
    ami amis femme mari fêter
"""
_ASKS = re.compile(
    r"\b(?:suggest\w*|recommend\w*|advise|ideas?|tips?|what|where|which|how (?:do|can|could|should) (?:i|we)|how should"
    r"|plan|organi[sz]e|help (?:me|us)|give (?:me|us)|make (?:me|us)|find (?:me|us|a|an)|any|i'm|i am|i need"
    r"|write a message|propose\w*|sugg[èe]re\w*|conseil\w*|recommande\w*|id[ée]es?"
    r"|que|quoi|quel(?:le)?s?|où|aide[sz]?|trouve\w*|liste|un|une)\b",
    re.IGNORECASE,
)
_SOFTWARE = """
    code bug bugs test tests testing function functions method class module package library api app application
    website site page pages component components database db table tables query schema migration deploy deployment
    release build file files folder directory commit commits branch merge repo repository pr pull script scripts
    endpoint endpoints route routes server client backend frontend ui css html json yaml sql button form field fields
    screen feature features filter error errors exception crash log logs logging refactor implement render parser type
    types config configuration setting settings docker container ci pipeline python javascript typescript rust java
    react django flask node npm pip version dependency variable interface async cache agent agents model models prompt
    prompts token tokens claude cursor codex mcp cli command commands terminal shell cookie session sessions user
    users customer customers data dataset column columns row rows  readme doc docs document click comment
    comments text label link sidebar highlight documentation spec specs issue issues ticket tickets backlog sprint
    seed fixture mock upload download email emails notification notifications webhook job queue worker cron export
    import csv pdf fonction méthode classe base données serveur bouton écran champ erreur erreurs fichier fichiers
    dossier branche dépôt ligne lignes appli tâche utilisateur utilisateurs clients requête déployer
"""
# A path, a call, an identifier or code.
_CODE = re.compile(r"\w/\w|\w\(\)|\w_\w|[a-z][A-Z]|`|[{}<>=;@#\\]|\w\.\w|\bv?\d+\.\d")


def is_personal(prompt: str) -> bool:
    """Does a prompt ask for advice about somebody's life, and not about software?"""
    if len(prompt) > LONGEST or _CODE.search(prompt) or not _ASKS.search(prompt.replace("’", "'")):
        return False
    said = set(map(stem, words(prompt.lower().replace("week-end", "weekend"))))
    return not _stems(_TOPICS).isdisjoint(said) and _stems(_SOFTWARE).isdisjoint(said)


@cache
def _stems(listed: str) -> frozenset[str]:
    return frozenset(map(stem, words(listed)))


def limits_choices(text: str) -> bool:
    """Does a text say what a person must not or does not eat, drink or do?"""
    return _LIMITS.search(text[:LONGEST].replace("’", "'")) is not None
