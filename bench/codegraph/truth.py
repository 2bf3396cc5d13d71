"""The truth about a repository, read from the SCIP index of a compiler-based indexer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.codegraph.module_labels import ModuleLabels, module_name
from bench.codegraph.written_names import WrittenNames
from holdfast.codegraph.scip import ScipDocument, read_scip

# A place: path, line and column of a name, both from 0; columns count UTF-16 units, as the indexers do.
Place = tuple[str, int, int]
_CONSTRUCTOR = re.compile(r"(`<constructor>`|__init__|__new__)\(\)\.$")
_OVERLOAD = re.compile(r"\(\+\d+\)")
_PARAMETER = re.compile(r"\((`[^`]+`|[\w$]+)\)$")
_LAST_NAME = re.compile(r"(?:`([^`]+)`|([\w$]+))[^\w$`]*$")


@dataclass(frozen=True)
class Truth:
    """What the indexer found. Local symbols have the path of their file as a prefix, so that names are unique."""

    paths: frozenset[str]
    definitions: Mapping[str, frozenset[Place]]
    defined_at: Mapping[Place, str]
    # The symbols that each line of a file names without defining them.
    named_at: Mapping[Place, frozenset[str]]
    named_on_line: Mapping[tuple[str, int], frozenset[str]]

    def files(self, symbol: str) -> frozenset[str]:
        """The files of the repository that define a symbol; none if it comes from outside."""
        return frozenset(path for path, _, _ in self.definitions.get(symbol, ()))


def read_truth(path: Path, sources: Mapping[str, bytes]) -> Truth:
    return truth_of(read_scip(path), sources)


def truth_of(documents: Iterable[ScipDocument], sources: Mapping[str, bytes]) -> Truth:
    """Collects the definitions and references of all documents. `sources` are the files by path."""
    paths = []
    fullest = tuple(_fullest(documents))
    labels = ModuleLabels(_modules(fullest), sources)
    names = WrittenNames(_defined(fullest), sources)
    definitions: dict[str, set[Place]] = defaultdict(set)
    defined_at: dict[Place, str] = {}
    named: dict[Place, set[str]] = defaultdict(set)
    lines: dict[tuple[str, int], set[str]] = defaultdict(set)
    for document in fullest:
        path = document.path
        paths.append(path)
        for one in document.occurrences:
            symbol = canonical(f"{path} {one.symbol}" if one.is_local else one.symbol)
            place = (path, one.line, one.column)
            if one.is_definition:
                definitions[symbol].add(place)
                defined_at.setdefault(place, symbol)
            else:
                meant = names.meant(labels.defined(symbol, *place), *place)
                if meant is not None:
                    named[place].add(meant)
                    lines[path, one.line].add(meant)
    return Truth(
        frozenset(paths),
        {symbol: frozenset(places) for symbol, places in definitions.items()},
        defined_at,
        {place: frozenset(symbols) for place, symbols in named.items()},
        {line: frozenset(symbols) for line, symbols in lines.items()},
    )


def _fullest(documents: Iterable[ScipDocument]) -> Iterable[ScipDocument]:
    """One document per file: a file that several projects contain is indexed several times, with other local names."""
    best: dict[str, ScipDocument] = {}
    for one in documents:
        if one.path not in best or len(best[one.path].occurrences) < len(one.occurrences):
            best[one.path] = one
    return best.values()


def _defined(documents: Iterable[ScipDocument]) -> set[str]:
    return {canonical(one.symbol) for document in documents for one in document.occurrences if one.is_definition}


def _modules(documents: Iterable[ScipDocument]) -> dict[str, str]:
    """The symbols of modules by the path of their file."""
    return {
        document.path: one.symbol
        for document in documents
        for one in document.occurrences[:1]
        if one.is_definition and module_name(one.symbol)
    }


def canonical(symbol: str) -> str:
    """The symbol with one name for all overloads of a function, and with the class's name for its constructor."""
    return _CONSTRUCTOR.sub("", _OVERLOAD.sub("()", symbol))


def is_local(symbol: str) -> bool:
    return " local " in symbol


def is_parameter(symbol: str) -> bool:
    return _PARAMETER.search(symbol) is not None


def last_name(symbol: str) -> str:
    """The name of a symbol without the names that contain it."""
    found = _LAST_NAME.search(symbol)
    return (found[1] or found[2]) if found else ""
