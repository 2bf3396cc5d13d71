"""Reduces English words to their stems by the Porter2 algorithm (https://snowballstem.org).

Unlike `holdfast.text.stemming.stem`, which removes only inflections, it also removes derivations: `deploy`, `deployed`
and `deployments` have one stem. It takes ten times as long, so it is used for the words of a query, not of a text.
"""

from __future__ import annotations

from functools import lru_cache

_VOWELS = frozenset("aeiouy")
_DOUBLES = frozenset(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"))
_LI_ENDINGS = frozenset("cdeghkmnrt")
_LONG_PREFIXES = ("gener", "commun", "arsen")
# Words that the rules would change wrongly: as written, and without their plural ending.
_EXCEPTIONS = {
    **{word: word for word in "sky news howe atlas cosmos bias andes".split()},
    **{"skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie"},
    **{"idly": "idl", "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl"},
}
_UNCHANGED = frozenset("inning outing canning herring earring proceed exceed succeed".split())
# Each step replaces the first matching ending of its list, the longest first.
_STEP_2 = (
    ("ization", "ize"), ("ational", "ate"), ("fulness", "ful"), ("ousness", "ous"), ("iveness", "ive"),
    ("tional", "tion"), ("biliti", "ble"), ("lessli", "less"), ("entli", "ent"), ("ation", "ate"),
    ("alism", "al"), ("aliti", "al"), ("ousli", "ous"), ("iviti", "ive"), ("fulli", "ful"),
    ("enci", "ence"), ("anci", "ance"), ("abli", "able"), ("izer", "ize"), ("ator", "ate"), ("alli", "al"),
    ("bli", "ble"), ("ogi", "og"), ("li", ""),
)  # fmt: skip
_STEP_3 = (
    ("ational", "ate"), ("tional", "tion"), ("alize", "al"), ("icate", "ic"), ("iciti", "ic"), ("ative", ""),
    ("ical", "ic"), ("ness", ""), ("ful", ""),
)  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion",
    "al", "er", "ic",
)  # fmt: skip


@lru_cache(maxsize=1 << 14)
def english_stem(word: str) -> str:
    """The stem of a word in lower case."""
    if len(word) <= 2:
        return word
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    word = _with_consonant_y(word)
    r1, r2 = _regions(word)
    word = _without_plural(word)
    if word in _UNCHANGED:
        return word
    word = _without_past(word, r1)
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    word = _step_2(word, r1)
    word = _step_3(word, r1, r2)
    word = _step_4(word, r2)
    return _step_5(word, r1, r2).lower()


def _with_consonant_y(word: str) -> str:
    """Writes a y that is a consonant as Y: at the start of the word and after a vowel."""
    if "y" not in word:
        return word
    letters = list(word)
    for at, letter in enumerate(letters):
        if letter == "y" and (at == 0 or letters[at - 1] in _VOWELS):
            letters[at] = "Y"
    return "".join(letters)


def _regions(word: str) -> tuple[int, int]:
    """Where R1 and R2 start: after the first consonant that follows a vowel, and after the next such one."""
    prefix = next((prefix for prefix in _LONG_PREFIXES if word.startswith(prefix)), None)
    r1 = len(prefix) if prefix else _after_vowel_consonant(word, 0)
    return r1, _after_vowel_consonant(word, r1)


def _after_vowel_consonant(word: str, start: int) -> int:
    for at in range(start + 1, len(word)):
        if word[at] not in _VOWELS and word[at - 1] in _VOWELS:
            return at + 1
    return len(word)


def _without_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _without_past(word: str, r1: int) -> str:
    """Removes `ed` and `ing`, and restores the end of the word: `hoping` becomes `hope`, `hopping` becomes `hop`."""
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            return word[: -len(ending)] + "ee" if len(word) - len(ending) >= r1 else word
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            stem = word[: -len(ending)]
            return _restored(stem, r1) if _has_vowel(stem) else word
    return word


def _restored(stem: str, r1: int) -> str:
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if stem[-2:] in _DOUBLES:
        return stem[:-1]
    return stem + "e" if r1 >= len(stem) and _ends_in_short_syllable(stem) else stem


def _step_2(word: str, r1: int) -> str:
    for ending, other in _STEP_2:
        if word.endswith(ending):
            at = len(word) - len(ending)
            if (
                at < r1
                or (ending == "ogi" and word[at - 1] != "l")
                or (ending == "li" and word[at - 1] not in _LI_ENDINGS)
            ):
                return word
            return word[:at] + other
    return word


def _step_3(word: str, r1: int, r2: int) -> str:
    for ending, other in _STEP_3:
        if word.endswith(ending):
            at = len(word) - len(ending)
            return word[:at] + other if at >= (r2 if ending == "ative" else r1) else word
    return word


def _step_4(word: str, r2: int) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            at = len(word) - len(ending)
            if at < r2 or (ending == "ion" and word[at - 1] not in "st"):
                return word
            return word[:at]
    return word


def _step_5(word: str, r1: int, r2: int) -> str:
    at = len(word) - 1
    if word.endswith("e") and (at >= r2 or (at >= r1 and not _ends_in_short_syllable(word[:-1]))):
        return word[:-1]
    return word[:-1] if word.endswith("ll") and at >= r2 else word


def _has_vowel(text: str) -> bool:
    return not _VOWELS.isdisjoint(text)


def _ends_in_short_syllable(word: str) -> bool:
    """Whether it ends in consonant, vowel, consonant other than w, x or Y, or is a vowel and a consonant."""
    if len(word) < 2 or word[-1] in _VOWELS or word[-2] not in _VOWELS:
        return False
    return len(word) == 2 or (word[-3] not in _VOWELS and word[-1] not in "wxY")
