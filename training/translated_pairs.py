"""Pairs across languages: sentences of a catalogue of translations, and sections of documents in two languages.

python -m training.translated_pairs --mirrors DIR --out translated_pairs.jsonl.xz
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from training.dialogue_pairs import Pair
from training.document_pairs import LONGEST_PASSAGE, Reading, paths
from training.git_batch import read_all
from training.pair_files import run, training_pair
from training.sections import Section, cleaned, sections, shortened
from training.sources import Mirrors
from training.texts import TRANSLATION

SEED = 21
LIMIT = 16_000
SHORTEST = 30
DOCUMENTS = (
    (Reading("kubernetes/website", "content/en/", (".md",), 0), "content/en/", "content/fr/"),
    (Reading("fastapi/fastapi", "docs/en/docs/", (".md",), 0), "docs/en/", "docs/fr/"),
)


def pairs(mirrors: Mirrors) -> Iterator[Pair]:
    """Catalogue entries and sections, each in a direction drawn at random."""
    chance = random.Random(SEED)
    found = list(_catalogue_pairs(mirrors, chance))
    yield from chance.sample(found, min(LIMIT, len(found)))
    for reading, english, french in DOCUMENTS:
        originals = dict(read_all(mirrors, reading.repository, paths(mirrors, reading)))
        names = [path.replace(english, french, 1) for path in originals]
        for path, text in read_all(mirrors, reading.repository, names):
            original = originals[path.replace(french, english, 1)]
            yield from _section_pairs(reading.repository, original, text, chance)


def entries(catalogue: str) -> Iterator[tuple[str, str]]:
    """The texts of a catalogue (.po) that are translated, with their translations, without markup."""
    for match in re.finditer(r'(?m)^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)', catalogue):
        original, translation = (_plain("".join(re.findall(r'"(.*)"', side))) for side in match.groups())
        lengths = len(original), len(translation)
        if min(lengths) >= SHORTEST and max(lengths) <= LONGEST_PASSAGE and original != translation:
            yield original, translation


def _plain(text: str) -> str:
    text = text.replace("\\n", "\n").replace('\\"', '"')
    return cleaned(re.sub(r":[a-z:+-]+:`[~!]*([^`<]+?)(?: <[^`]*>)?`|`+", lambda role: role.group(1) or "", text))


def _catalogue_pairs(mirrors: Mirrors, chance: random.Random) -> Iterator[Pair]:
    repository = TRANSLATION.repository
    for _, text in read_all(mirrors, repository, paths(mirrors, TRANSLATION)):
        for sides in entries(text):
            question, passage = chance.sample(sides, 2)
            yield training_pair(repository, "translation", question, passage)


def _section_pairs(repository: str, original: str, translation: str, chance: random.Random) -> Iterator[Pair]:
    """A heading and the section in the other language; only where both documents have the same outline."""
    left, right = sections(original, marks="#"), sections(translation, marks="#")
    if len(left) != len(right):
        return
    for sides in zip(left, right, strict=True):
        asked, answer = chance.sample(sides, 2)
        yield training_pair(repository, "translation", _asked(asked), shortened(answer.body, LONGEST_PASSAGE))


def _asked(section: Section) -> str:
    same = section.title in ("", section.heading)
    return section.heading if same else f"{section.title}: {section.heading}"


if __name__ == "__main__":
    run(pairs)
