"""Writes the French lexicon of `holdfast.text.gloss` from the written word lists.

    python -m training.lexicon

`lexicon/*.tsv` has French words with one English gloss each: verbs in the infinitive, nouns and adjectives in the
masculine singular, forms of irregular verbs, small words and expressions. The regular forms are generated here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from holdfast.text.gloss import VERB

LISTS = Path(__file__).parent / "lexicon"
OUT = Path(__file__).parents[1] / "src" / "holdfast" / "text" / "data" / "french.tsv"
# If a form belongs to several words, the first of these lists decides: "porte" is a door before it is "carries".
_ORDER = ("small", "irregular", "expressions", "nouns", "adjectives", "verbs")
_VERBS = ("irregular", "verbs")

# The endings that notes and questions have; others, such as those of the simple past, would double the file.
_ER = "e es ons ez ent ais ait aient era erons erez eront erait eraient é ée és ées ant er".split()
_IR = "is it issons issez issent isse issait issaient ira irons irez iront irait iraient i ie ies issant ir".split()
_RE = "s ons ez ent e ait aient ra rons rez ront rait raient u ue us ues ant re".split()
_FEMININE = (
    ("er", "ère"), ("if", "ive"), ("eux", "euse"), ("el", "elle"), ("eil", "eille"), ("en", "enne"), ("on", "onne"),
    ("eur", "euse"), ("et", "ette"), ("c", "que"),
)  # fmt: skip


def main() -> int:
    forms = dict(lexicon())
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text("".join(f"{form}\t{gloss}\n" for form, gloss in sorted(forms.items())), encoding="utf-8")
    print(f"{len(forms):,} forms in {OUT.relative_to(Path.cwd())}")
    return 0


def lexicon(folder: Path = LISTS) -> Iterator[tuple[str, str]]:
    """Every form with its gloss, each form once; of a verb that is another word too, again after the mark of verbs."""
    known: dict[str, str] = {}
    for name in _ORDER:
        for word, gloss in read_list(folder / f"{name}.tsv"):
            for form in dict.fromkeys((word, *forms_of(name, word))):
                marked = form if form not in known or name not in _VERBS else VERB + form
                if marked not in known and known.get(form) != gloss:
                    known[marked] = gloss
                    yield marked, gloss


def read_list(file: Path) -> Iterator[tuple[str, str]]:
    """The words of a list with their glosses; raises ValueError for a line of another form."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        word, separator, gloss = line.partition("\t")
        if not separator or not word.strip() or not gloss.strip() or "\t" in gloss:
            raise ValueError(f"{file.name}, line {number}: {line!r}")
        yield word.strip().lower().replace("’", "'"), gloss.strip().lower()


def forms_of(name: str, word: str) -> Sequence[str]:
    """The regular forms of a word of a list."""
    if name == "verbs":
        return verb_forms(word)
    if name == "nouns":
        return (plural(word),)
    if name == "adjectives":
        feminine = feminine_of(word)
        return plural(word), feminine, plural(feminine)
    return ()


def verb_forms(infinitive: str) -> Sequence[str]:
    """The forms of a regular verb; the stems of verbs in -ger, -cer, -yer, and of those like "acheter", may change."""
    stem, ending = infinitive[:-2], infinitive[-2:]
    if ending == "er":
        return [form for changed in _stems(stem) for form in (changed + each for each in _ER)]
    return [stem + each for each in {"ir": _IR, "re": _RE}.get(ending, ())]


def _stems(stem: str) -> Iterator[str]:
    yield stem
    if stem.endswith("g"):
        yield f"{stem}e"
    elif stem.endswith("c"):
        yield f"{stem[:-1]}ç"
    elif stem.endswith("y"):
        yield f"{stem[:-1]}i"
    elif re.search(r"[eé][^aeiouyéèê]{1,2}$", stem):
        yield re.sub(r"[eé]([^aeiouyéèê]{1,2})$", r"è\1", stem)
        if stem.endswith(("el", "et")):
            yield stem + stem[-1]


def plural(word: str) -> str:
    """The regular plural of a noun or an adjective."""
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith("al"):
        return f"{word[:-1]}ux"
    return f"{word}x" if word.endswith(("au", "eu")) else f"{word}s"


def feminine_of(word: str) -> str:
    """The regular feminine of an adjective."""
    if word.endswith("e"):
        return word
    return next((word[: -len(end)] + other for end, other in _FEMININE if word.endswith(end)), f"{word}e")


if __name__ == "__main__":
    sys.exit(main())
