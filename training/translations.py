"""Collects texts in English with their French translations.

python -m training.translations --mirrors DIR --out training/work/translations.jsonl.xz

One row per text: source, English, French. From catalogues of translated programs, documents in both languages and
everyday sentences of Tatoeba; and from `written/translations.tsv`, the texts of written worlds, translated for this.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from training.document_pairs import Reading, paths
from training.git_batch import read_all
from training.pair_files import arguments, report, write_lines
from training.sources import Mirrors
from training.texts import TRANSLATION
from training.translated_pairs import entries

WRITTEN = Path(__file__).parent / "written" / "translations.tsv"
CATALOGUE = ("mattermost/mattermost-webapp", "i18n/en.json", "i18n/fr.json")
PHRASES = ("kanboard/kanboard", "app/Locale/fr_FR/translations.php")
SENTENCES = (
    ("NJUxlj/seq2seq-attention-translation", "data/eng-fra.txt"),
    ("DevHunterYZ/Neural-Machine-Translation", "fra.txt"),
)
# Repositories of the English and the French documents, the folders of both, and the most texts taken.
DOCUMENTS = (
    ("kubernetes/website", "content/en/", "kubernetes/website", "content/fr/", 6_000),
    ("MicrosoftDocs/sql-docs", "docs/", "MicrosoftDocs/sql-docs.fr-fr", "docs/", 15_000),
)
_SHORTEST, _LONGEST = 9, 400
_SHORTEST_PARAGRAPH = 25
# A paragraph whose translation is much shorter or longer is another paragraph.
_LEAST_RATIO, _MOST_RATIO = 0.7, 1.9
_SEED = 31


class Translation(NamedTuple):
    """A text in both languages, and the repository it is from."""

    source: str
    english: str
    french: str


def translations(mirrors: Mirrors) -> Iterator[Translation]:
    """All texts of some length whose translation differs."""
    for found in (_catalogue(mirrors), _messages(mirrors), _phrases(mirrors), _sentences(mirrors), written()):
        yield from (each for each in found if _is_useful(each))
    for english, folder, french, other, most in DOCUMENTS:
        yield from _documents(mirrors, (english, folder), (french, other), most)


def written() -> Iterator[Translation]:
    """Texts of written worlds that are trained on."""
    for line in WRITTEN.read_text(encoding="utf-8").splitlines():
        english, french = line.split("\t")
        yield Translation("holdfast/written", english, french)


def _is_useful(each: Translation) -> bool:
    return _SHORTEST <= len(each.english) <= _LONGEST and each.french.strip() not in ("", each.english)


def _catalogue(mirrors: Mirrors) -> Iterator[Translation]:
    for _, text in read_all(mirrors, TRANSLATION.repository, paths(mirrors, TRANSLATION)):
        for english, french in entries(text):
            yield Translation(TRANSLATION.repository, english, french)


def _messages(mirrors: Mirrors) -> Iterator[Translation]:
    repository, *files = CATALOGUE
    english, french = (mirrors.json(repository, file) for file in files)
    for name in english.keys() & french.keys():
        yield Translation(repository, _plain(english[name]), _plain(french[name]))


def _phrases(mirrors: Mirrors) -> Iterator[Translation]:
    repository, file = PHRASES
    for sides in re.findall(r"(?m)^\s*'((?:[^'\\]|\\.)+)' => '((?:[^'\\]|\\.)+)',", mirrors.text(repository, file)):
        english, french = (re.sub(r"%\w", "", side.replace("\\'", "'")) for side in sides)
        yield Translation(repository, english, french)


def _sentences(mirrors: Mirrors) -> Iterator[Translation]:
    """Each English sentence once: Tatoeba has many translations of some."""
    seen = set()
    for repository, file in SENTENCES:
        for line in mirrors.text(repository, file).splitlines():
            english, french, *_ = line.split("\t")
            if english not in seen:
                seen.add(english)
                yield Translation(repository, english, french)


def _documents(mirrors: Mirrors, english: tuple[str, str], french: tuple[str, str], most: int) -> Iterator[Translation]:
    """Paragraphs of documents that have as many in both languages."""
    originals = set(paths(mirrors, Reading(*english, (".md",), 0)))
    names = {path.replace(french[1], english[1], 1): path for path in paths(mirrors, Reading(*french, (".md",), 0))}
    both = sorted(names.keys() & originals)
    texts = dict(read_all(mirrors, english[0], both))
    found = []
    for (original, _), (_, translated) in zip(
        texts.items(), read_all(mirrors, french[0], [names[path] for path in texts]), strict=True
    ):
        left, right = _paragraphs(texts[original]), _paragraphs(translated)
        if len(left) == len(right):
            found += [Translation(french[0], *sides) for sides in zip(left, right, strict=True)]
    useful = [each for each in found if _is_useful(each) and _is_paragraph(each)]
    yield from random.Random(_SEED).sample(useful, min(most, len(useful)))


def _is_paragraph(each: Translation) -> bool:
    ratio = len(each.french) / len(each.english)
    return len(each.english) >= _SHORTEST_PARAGRAPH and _LEAST_RATIO < ratio < _MOST_RATIO


def _paragraphs(document: str) -> list[str]:
    """The paragraphs of a document in Markdown, without markup, code and tables."""
    text = re.sub(r"(?s)^---.*?---\n|```.*?```", "", document)
    found = (_plain(paragraph) for paragraph in re.split(r"\n\s*\n", text))
    return [each for each in found if each and "|" not in each]


def _plain(text: str) -> str:
    """Without links, tags, placeholders and marks."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>|\{[^}]*\}|&#?\w+;|[*`#>\\]", "", text)).strip()


def main() -> None:
    given = arguments()
    found = list(translations(Mirrors(Path(given.mirrors))))
    write_lines(given.out, [json.dumps(each, ensure_ascii=False) for each in found])
    report(Counter(each.source for each in found), given.out)


if __name__ == "__main__":
    main()
