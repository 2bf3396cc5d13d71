"""Adds the edges of a SCIP index, which a compiler-based indexer has found, to the code graph.

An edge stays until its file, or one the file depends on, changes; then the file is resolved again without the index.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.codegraph.analysis.neighbours import is_inside
from holdfast.codegraph.code_records import CALLS, EXACT, IMPORTS, USES
from holdfast.codegraph.scip import IMPORT, Occurrence, ScipDocument, read_scip
from holdfast.core.code import CodeEdge, ScipReport
from holdfast.core.errors import NotFound

if TYPE_CHECKING:
    from holdfast.codegraph.analysis.adjacency import Adjacency, SymbolNode
    from holdfast.store.writing.graph import GraphWriting

ORIGIN = "scip"


def import_scip(path: str, graph: Adjacency, writing: GraphWriting, project: str) -> ScipReport:
    """Reads an index and adds its edges. Skips files that changed after it was made, or are not indexed.

    Raises NotFound if there is no such file, InvalidFile if it is not a SCIP index.
    """
    if not os.path.isfile(path):
        raise NotFound(path, hint="Make an index with scip-python, scip-typescript or another indexer first.")
    made = os.stat(path).st_mtime_ns
    documents = [document for document in read_scip(Path(path)) if document.path in graph.by_path]
    current = [document for document in documents if _is_current(graph, document, made)]
    targets = dict(_definitions(graph, current))
    edges = {document.path: _edges(graph, document, targets) for document in current}
    writing.add_edges(project, {file: tuple(found) for file, found in edges.items() if found})
    return ScipReport(len(current), sum(map(len, edges.values())), len(documents) - len(current))


def _is_current(graph: Adjacency, document: ScipDocument, made: int) -> bool:
    file = graph.by_path[document.path]
    return not file.stale and file.mtime_ns <= made


def _definitions(graph: Adjacency, documents: Iterable[ScipDocument]) -> Iterator[tuple[str, SymbolNode]]:
    """Yields the symbols of an index with the files and names they have in the graph."""
    graph.load_symbols([graph.by_path[document.path].id for document in documents])
    for document in documents:
        file = graph.by_path[document.path].id
        for one in document.occurrences:
            if one.is_definition and _is_global(one):
                defined = None if one.symbol.endswith("/") else graph.symbol_at(file, one.line + 1)
                yield one.symbol, (file, defined.name if defined else "")


def _edges(graph: Adjacency, document: ScipDocument, targets: Mapping[str, SymbolNode]) -> list[CodeEdge]:
    """Returns the edges of one file: one for all places with the same source, target and type."""
    file = graph.by_path[document.path].id
    found: dict[tuple[str, SymbolNode, str], CodeEdge] = {}
    for one in document.occurrences:
        target = targets.get(one.symbol) if not one.is_definition and _is_global(one) else None
        if target is None:
            continue
        around = graph.symbol_at(file, one.line + 1)
        source = around.name if around else ""
        if is_inside((file, source), target) or target == (file, ""):
            continue
        key = source, target, _type(one)
        made = CodeEdge(
            document.path, source, graph.files[target[0]].path, target[1], key[2], EXACT, one.line + 1, origin=ORIGIN
        )
        found[key] = found[key]._replace(places=found[key].places + 1) if key in found else made
    return list(found.values())


def _type(one: Occurrence) -> str:
    if one.roles & IMPORT:
        return IMPORTS
    return CALLS if one.symbol.endswith("().") else USES


def _is_global(one: Occurrence) -> bool:
    """Is the symbol a module, type, function or variable? Parameters end with `)`, type parameters with `]`."""
    return not one.is_local and one.symbol.endswith(("/", "#", ".", ":"))
