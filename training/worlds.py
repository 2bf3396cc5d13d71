"""Written worlds: some thirty passages about one project, household or pair of friends, and questions about them.

`written/worlds/*.tsv` has one world per file: a line `W`, description, language; lines `M1`, text; lines `Q`, question,
and the passages that answer it (`M3,M9`), or `-` if none does. Written without knowledge of the evaluation sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "written" / "worlds"


@dataclass(frozen=True)
class World:
    """The passages of a world by name, and its questions with the names of the passages that answer each."""

    name: str
    language: str
    passages: Mapping[str, str]
    questions: Sequence[tuple[str, frozenset[str]]]


def worlds(folder: Path = FOLDER) -> Iterator[World]:
    """All worlds, in the order of their files."""
    for file in sorted(folder.glob("*.tsv")):
        yield read_world(file)


def read_world(file: Path) -> World:
    """Reads one world; raises ValueError for a line of another form and for answers that do not exist."""
    language, passages, questions = "en", {}, []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        fields = [field.strip() for field in line.split("\t")]
        if not line.strip():
            continue
        if fields[0] == "W" and len(fields) == 3:
            language = fields[2]
        elif fields[0][:1] == "M" and len(fields) == 2:
            passages[fields[0]] = fields[1]
        elif fields[0] == "Q" and len(fields) == 3:
            names = frozenset(name.strip() for name in fields[2].split(",")) - {"-"}
            questions.append((fields[1], names))
        else:
            raise ValueError(f"{file.name}, line {number}: {line[:80]!r}")
    unknown = {name for _, names in questions for name in names} - passages.keys()
    if unknown:
        raise ValueError(f"{file.name}: {', '.join(sorted(unknown))} not in the world")
    return World(file.stem, language, passages, questions)


def development(world: World) -> bool:
    """Is the world kept out of training? Every tenth is, to choose settings with."""
    return world.name.endswith("9")
