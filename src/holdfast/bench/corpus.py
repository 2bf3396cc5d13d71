"""Generates memories and queries that resemble real ones; the same seed and size give the same texts everywhere.

Words follow Zipf's law, flattened at the head: a few common words and a long tail of names that occur once or twice. A
memory has one to six sentences about parts of a program, a type, a file and tags. A query uses words of a memory; one
in ten is about something that was never stored. As in real chats, a query has six informative words and shares one of
them with a tenth of all memories.
"""

from __future__ import annotations

import functools
import itertools
import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

SEED = 20_000
DIMENSIONS = 384
_WORDS, _MEANINGS, _LEANING = 2048, 26, 0.9
TYPES = ("fact", "decision", "gotcha", "preference", "pattern", "requirement", "error_pattern", "module_insight")


@dataclass(frozen=True, slots=True)
class Note:
    """A memory to store."""

    text: str
    type: str
    file: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The texts of a run: `notes` fill the store, `more` are added one by one, `messages` are stored as messages."""

    notes: tuple[Note, ...]
    more: tuple[Note, ...]
    messages: tuple[str, ...]
    questions: tuple[str, ...]


def build(memories: int, more: int = 600, messages: int = 2_000, questions: int = 100, seed: int = SEED) -> Corpus:
    """Generates a corpus with the given number of memories."""
    chance = random.Random(seed)
    speech = _Speech(chance, max(400, memories // 2))
    notes = tuple(speech.note() for _ in range(memories))
    return Corpus(
        notes,
        tuple(speech.note() for _ in range(more)),
        tuple(speech.message() for _ in range(messages)),
        tuple(speech.question(chance.choice(notes)) for _ in range(questions)),
    )


def vectors_of(texts: Sequence[str]) -> Vectors:
    """Computes one vector per text; texts that share words have similar vectors.

    Like those of a language model, the vectors lie close to a plane with far fewer dimensions and share one direction.
    """
    import numpy as np

    from holdfast.models.fake import FakeEmbedder

    narrow, wide, common = _shape()
    meant = FakeEmbedder(_WORDS).embed(texts) @ narrow
    leaning = meant / np.linalg.norm(meant, axis=1, keepdims=True) @ wide + common
    vectors: Vectors = (leaning / np.linalg.norm(leaning, axis=1, keepdims=True)).astype(np.float32)
    return vectors


@functools.cache
def _shape() -> tuple[Vectors, Vectors, Vectors]:
    import numpy as np

    chance = np.random.default_rng(SEED)
    narrow = chance.standard_normal((_WORDS, _MEANINGS)).astype(np.float32)
    square = np.linalg.qr(chance.standard_normal((DIMENSIONS, DIMENSIONS)))[0].astype(np.float32)
    return narrow, square[:_MEANINGS], _LEANING * square[_MEANINGS]


def save(corpus: Corpus, folder: Path) -> None:
    """Writes a corpus and its vectors for the measuring processes."""
    import numpy as np

    (folder / "corpus.json").write_text(json.dumps(asdict(corpus)), encoding="utf-8")
    for name, texts in _embedded(corpus).items():
        np.save(folder / f"{name}.npy", vectors_of(texts))


def load(folder: Path) -> tuple[Corpus, dict[str, Vectors]]:
    """Loads a saved corpus with the vectors of its notes, of `more` and of its questions."""
    import numpy as np

    saved = json.loads((folder / "corpus.json").read_text(encoding="utf-8"))
    corpus = Corpus(_notes(saved["notes"]), _notes(saved["more"]), tuple(saved["messages"]), tuple(saved["questions"]))
    return corpus, {name: np.load(folder / f"{name}.npy") for name in _embedded(corpus)}


def _embedded(corpus: Corpus) -> dict[str, list[str]]:
    return {
        "notes": [note.text for note in corpus.notes],
        "more": [note.text for note in corpus.more],
        "questions": list(corpus.questions),
    }


def _notes(rows: list[dict[str, Any]]) -> tuple[Note, ...]:
    return tuple(Note(row["text"], row["type"], row["file"], tuple(row["tags"])) for row in rows)


class _Speech:
    """Generates sentences from random words."""

    def __init__(self, chance: random.Random, names: int) -> None:
        self._chance = chance
        self._things = [*_THINGS, *_names(chance, names)]
        self._weights = list(itertools.accumulate(1 / (rank + 60) for rank in range(len(self._things))))
        self._files = [
            f"src/{area}/{thing}.py" for area in _AREAS for thing in chance.sample(_THINGS, k=min(40, len(_THINGS)))
        ]

    def note(self) -> Note:
        text = " ".join(self._sentence() for _ in range(self._chance.choice((1, 2, 2, 3, 4, 6))))
        tags = tuple(sorted({self._thing() for _ in range(self._chance.randint(0, 3))}))
        return Note(text, self._chance.choice(TYPES), self._chance.choice(self._files), tags)

    def message(self) -> str:
        return " ".join(self._sentence() for _ in range(self._chance.choice((1, 1, 2, 3, 6, 12))))

    def question(self, about: Note) -> str:
        if self._chance.random() < 0.1:
            return f"What was said about {' and '.join(_names(self._chance, 2))}?"
        # One query in ten names a file; parts of its path occur in half of all memories.
        paths = self._chance.random() < 0.1
        words = [word.strip(".,;:`") for word in about.text.split() if paths or "/" not in word]
        chosen = self._chance.sample(words, k=min(len(words), self._chance.randint(5, 10)))
        return self._chance.choice(_QUESTIONS).format(" ".join(chosen))

    def _sentence(self) -> str:
        sentence = self._chance.choice(_SENTENCES)
        while "{" in sentence:
            sentence = sentence.replace("{a}", self._thing(), 1).replace("{b}", self._thing(), 1)
            sentence = sentence.replace("{v}", self._chance.choice(_VERBS), 1).replace(
                "{w}", self._chance.choice(_MANNERS), 1
            )
            sentence = sentence.replace("{n}", str(self._number()), 1).replace(
                "{f}", self._chance.choice(self._files), 1
            )
        return sentence[0].upper() + sentence[1:]

    def _thing(self) -> str:
        return self._chance.choices(self._things, cum_weights=self._weights)[0]

    def _number(self) -> int:
        return self._chance.choice((2, 3, 5, 10, 30, 60, 100, 250, 500, 1024, 8080)) + self._chance.randint(0, 9)


def _names(chance: random.Random, count: int) -> list[str]:
    """Generates program names: invented words, alone, in camelCase or with an underscore."""
    made = []
    for _ in range(count):
        word = "".join(chance.choice(_SYLLABLES) for _ in range(chance.randint(2, 3)))
        common = chance.choice(_THINGS)
        made.append(chance.choice((word, f"{word}{common.capitalize()}", f"{common}_{word}")))
    return made


_AREAS = "api auth billing cache cli core events jobs mail search store sync ui web".split()
_THINGS = """request user token session cache queue worker index schema migration invoice payment retry timeout header
parser lexer cursor page cluster replica shard snapshot backup journal record column filter query plan lock thread pool
socket stream buffer chunk upload download image thumbnail template layout button form menu dialog theme locale message
thread inbox notification webhook signature secret key role policy tenant region bucket object event handler listener
scheduler calendar report chart metric alert log trace span build package release branch commit review test fixture
mock seed script config flag default limit quota budget price discount coupon order cart address customer ticket
comment label tag search ranking score vector embedding model prompt answer memory agent tool hook""".split()
_VERBS = """reads writes checks skips retries drops merges splits sorts caches locks flushes validates rejects returns
renames rebuilds rotates compresses signs parses loads stores logs ignores expects replaces delays limits wraps opens
closes starts stops sends receives counts copies moves removes creates updates deletes fetches resolves maps binds
encodes decodes hashes trims pads joins groups filters scans walks polls pushes pulls syncs exports imports renders
hides shows freezes guards audits measures samples shares owns inherits overrides extends calls awaits blocks cancels
resumes pauses expires renews grants denies pins tags links marks""".split()
_MANNERS = """slow fast old new empty full broken stable shared private public local remote first last next previous
nested flat lazy eager strict loose signed plain raw cooked hot cold large small short long wide narrow deep shallow
daily hourly weekly nightly manual automatic temporary permanent optional required hidden visible legacy modern german
french japanese internal external upstream downstream parallel serial random sorted partial complete invalid valid
expired fresh dirty clean silent noisy cheap dear safe unsafe early late rare common central regional primary secondary
spare""".split()
_SYLLABLES = """ba cor del fin gar hol im jen kal lor mar nen or pel quin ras sol tan ur vel wen xi yor zan bri clo dra
fre gli kro pla sto tri""".split()
# Mostly stop words: the fixed words of the templates must not make all memories similar.
_SENTENCES = (
    "the {a} {v} the {w} {b} before it {v} the {a}.",
    "we have {n} of the {w} {a} because {b} {v} it.",
    "{a} should not do what {b} does in {f}.",
    "when {a} {v} {b}, the {w} {a} is off for {n}.",
    "{a} and {b} are the same in {f} once {a} {v} it.",
    "no more than {n} of {a}, or the {b} {v} the {w} {a}.",
    "a {w} {a} over a {b} with {n} of them.",
    "{f} {v} the {a} only while {b} {v}.",
    "our {a} {v} each {w} {b}, and so does {a}.",
    "why {a}: the {b} {v} a {w} {a}, and {a} should not.",
)
_QUESTIONS = ("what do we know about {}?", "{}", "how does {} work", "why {}?", "is it true that {}")
