"""Finds the successor of each superseded document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Graph = Mapping[str, set[str]]


def successors(claims: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns the successor of each superseded document, from pairs (superseded, successor).

    Of several successors the last by name is chosen, because records are numbered in order. Documents that supersede
    each other in a cycle have no successor inside the cycle.
    """
    after: dict[str, set[str]] = {}
    for old, new in claims:
        after.setdefault(old, set()).add(new)
        after.setdefault(new, set())
    component = _components(after)
    outside = {old: [new for new in news if component[new] != component[old]] for old, news in after.items()}
    return {old: max(news) for old, news in outside.items() if news}


def _components(graph: Graph) -> dict[str, str]:
    """Returns for each document the first of its strongly connected component (Kosaraju). Most have only themselves."""
    reversed_graph: dict[str, set[str]] = {document: set() for document in graph}
    for document, others in graph.items():
        for other in others:
            reversed_graph[other].add(document)
    component: dict[str, str] = {}
    for start in reversed(_finished(graph)):
        pending = [start] if start not in component else []
        while pending:
            document = pending.pop()
            component[document] = start
            pending.extend(other for other in reversed_graph[document] if other not in component)
    return component


def _finished(graph: Graph) -> list[str]:
    """Returns the documents in the order in which a depth-first search finishes them."""
    done: list[str] = []
    seen: set[str] = set()
    for start in sorted(graph):
        path = [(start, iter(graph[start]))] if start not in seen else []
        seen.add(start)
        while path:
            document, rest = path[-1]
            new = next((other for other in rest if other not in seen), None)
            if new is None:
                done.append(document)
                path.pop()
            else:
                seen.add(new)
                path.append((new, iter(graph[new])))
    return done
