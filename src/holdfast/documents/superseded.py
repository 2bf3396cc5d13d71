"""Which documents were replaced, and by which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Graph = Mapping[str, set[str]]


def successors(claims: Iterable[tuple[str, str]]) -> dict[str, str]:
    """For each replaced document its successor, of pairs (replaced, successor).

    Of several the one that comes last by name: records are numbered in the order they are written. Documents that
    replace each other in a circle count as replaced by none of it.
    """
    after: dict[str, set[str]] = {}
    for old, new in claims:
        after.setdefault(old, set()).add(new)
        after.setdefault(new, set())
    circle = _circles(after)
    outside = {old: [new for new in news if circle[new] != circle[old]] for old, news in after.items()}
    return {old: max(news) for old, news in outside.items() if news}


def _circles(graph: Graph) -> dict[str, str]:
    """Each document with the first of its circle: those that reach each other. Most are alone in theirs.

    Kosaraju: what is reached against the arrows, beginning with what was finished last along them, is one circle.
    """
    back: dict[str, set[str]] = {one: set() for one in graph}
    for one, others in graph.items():
        for other in others:
            back[other].add(one)
    circle: dict[str, str] = {}
    for start in reversed(_finished(graph)):
        waiting = [start] if start not in circle else []
        while waiting:
            one = waiting.pop()
            circle[one] = start
            waiting.extend(other for other in back[one] if other not in circle)
    return circle


def _finished(graph: Graph) -> list[str]:
    """The documents in the order in which walking from them came to an end."""
    done: list[str] = []
    seen: set[str] = set()
    for start in sorted(graph):
        path = [(start, iter(graph[start]))] if start not in seen else []
        seen.add(start)
        while path:
            one, rest = path[-1]
            new = next((other for other in rest if other not in seen), None)
            if new is None:
                done.append(one)
                path.pop()
            else:
                seen.add(new)
                path.append((new, iter(graph[new])))
    return done
