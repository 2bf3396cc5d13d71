"""Small operations on words that the readers of dialogues share."""

from __future__ import annotations

import random
import re
from functools import lru_cache

STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before being but by can could did do does
    doing done for from get go got had has have having he her hers him his how i if in into is it its just
    like me more most much my no not now of off on one only or other our out over own really say said says
    she should so some such than that the their them then there these they this those through to too up us
    very want was we well were what when where which while who whom whose why will with would yes you your""".split()
)
_WORD = re.compile(r"[a-z0-9']+")
_ENDING = re.compile(r"(?:ings?|ed|es|s)$")
_JOINED = re.compile(r" (n't|'s|'re|'ve|'ll|'d|'m|,|\.\.\.|\.|!|\?|;|:|\)|\])")
_SPLIT_WORDS = {"gon na": "gonna", "wan na": "wanna", "got ta": "gotta", "gim me": "gimme", "lem me": "lemme"}
_SPLIT = re.compile("|".join(_SPLIT_WORDS), re.IGNORECASE)

WOMEN = """Abigail Aisha Alice Amara Amelia Ana Beatriz Bianca Camila Carla Charlotte Chloe Claire Clara Daniela Diana
Elena Elif Emma Erin Eva Fatima Fiona Freya Gabriela Hana Hannah Helen Ines Irene Isabel Jane Julia Kate
Keiko Laila Laura Leah Lena Lily Lina Lucia Mabel Maria Marta Maya Mei Mia Mira Nadia Naomi Nina Nora Olga
Olivia Paula Petra Priya Rita Rosa Ruth Samira Sara Selma Sofia Sonia Stella Tanya Tara Tessa Valeria Vera
Wendy Yara Yuki Zara Zoe""".split()
MEN = """Aaron Adam Ahmed Alan Alex Amir Andre Anton Arjun Ben Bilal Boris Bruno Caleb Carlos Cesar Chen Daniel Dario
David Diego Dmitri Edgar Eli Emil Enzo Eric Erik Ethan Felix Filip Finn Gavin George Hamza Hassan Henry Hugo
Ian Igor Isaac Ivan Jack Jacob Jamal James Javier Jonas Jorge Juan Kai Karim Kenji Kevin Lars Leo Liam Lucas
Luis Marco Mario Martin Mateo Miguel Milan Nathan Nikhil Noah Oliver Omar Oscar Pablo Paul Pedro Peter
Rafael Raj Ravi Ryan Samuel Sean Simon Stefan Tariq Theo Thomas Tom Victor Viktor Yusuf""".split()


@lru_cache(maxsize=200_000)
def content_words(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, without endings."""
    found = (word.strip("'") for word in _WORD.findall(text.lower()))
    return frozenset(_ENDING.sub("", word) for word in found if len(word) > 2 and word not in STOP_WORDS)


def join_tokens(text: str) -> str:
    """Text as people write it, from text whose tokens were separated by spaces ("do n't", "Hi !")."""
    text = _SPLIT.sub(lambda match: _matching_case(match[0], _SPLIT_WORDS[match[0].lower()]), text)
    text = re.sub(r"([(\[]) ", r"\1", _JOINED.sub(r"\1", text))
    return " ".join(text.split())


def _matching_case(old: str, new: str) -> str:
    return new.capitalize() if old[0].isupper() else new


def rename(text: str, names: dict[str, str]) -> str:
    """The text with whole words replaced as `names` says."""
    if not names:
        return text
    pattern = r"\b(" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + r")\b"
    return re.sub(pattern, lambda match: names[match[1]], text)


def two_names(chance: random.Random) -> tuple[str, str]:
    """Names for the two people of a conversation whose names are not known."""
    first, second = chance.sample(WOMEN + MEN, 2)
    return first, second
