"""Turns the resolved places of a file into edges between symbols."""

from __future__ import annotations

from collections import Counter

from holdfast.codegraph.code_records import TIERS, FileResolution
from holdfast.codegraph.languages import ProjectFiles
from holdfast.core.code import CodeEdge, ResolvedFile, UnresolvedName


def resolved_file(files: ProjectFiles, resolution: FileResolution) -> ResolvedFile:
    """Returns the edges of a file: one for all places with the same source, target and type, with the best confidence.

    An edge from a symbol to itself, or from the top level of a file to the same file, says nothing and is left out.
    """
    record = files.record(resolution.path)
    assert record is not None
    edges: dict[tuple[str, str, str, str], CodeEdge] = {}
    for site in resolution.sites:
        source = record.symbol_of(site.scope)
        if site.path == resolution.path and (source == site.symbol or not site.symbol):
            continue
        key = source, site.path, site.symbol, site.type
        edge = CodeEdge(resolution.path, source, site.path, site.symbol, site.type, site.confidence, site.line)
        edges[key] = _together(edges[key], edge) if key in edges else edge
    places = Counter((name.expression, name.type, name.why) for name in resolution.unresolved if name.why != "external")
    first: dict[tuple[str, str, str], int] = {}
    for name in resolution.unresolved:
        first.setdefault((name.expression, name.type, name.why), name.line)
    unresolved = tuple(UnresolvedName(*key, first[key], count) for key, count in places.items())
    external = sum(name.why == "external" for name in resolution.unresolved)
    return ResolvedFile(
        resolution.path,
        record.hash,
        tuple(edges.values()),
        unresolved,
        external,
        resolution.consulted,
        resolution.lookups,
    )


def _together(one: CodeEdge, other: CodeEdge) -> CodeEdge:
    best = min(one.confidence, other.confidence, key=TIERS.index)
    return one._replace(confidence=best, line=min(one.line, other.line), places=one.places + 1)
