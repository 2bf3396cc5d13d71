"""How close files are in the code: the part of the code graph that recall uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.codegraph.anchors.named_code import named_code
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.codegraph.analysis.adjacency import Adjacency
    from holdfast.codegraph.history.companions import CodeCompanions
    from holdfast.store.reading import AnchorReading

# Files further down the list are close to everything.
_CLOSEST = 20


@frozen
class CodeCloseness:
    """Files that depend on each other or change together. Takes the graph as it is, without looking at the files."""

    graph: Callable[[], Adjacency]
    companions: CodeCompanions
    reading: AnchorReading
    project: str

    def files_near(self, project: str, files: Sequence[str], hops: int = 1) -> Mapping[str, float]:
        """Returns the files closest to these, each with its closeness, 1 for the closest. `hops` is not needed."""
        graph = self.graph()
        near: dict[str, float] = {}
        for file in files:
            scores = self.companions.predict(file, graph)
            highest = max(scores.values(), default=0.0)
            for other in list(scores)[:_CLOSEST]:
                near[other] = max(near.get(other, 0.0), scores[other] / highest)
        return {file: closeness for file, closeness in near.items() if file not in files}

    def files_named(self, project: str, text: str) -> tuple[str, ...]:
        """Returns the indexed files whose symbols, or the ends of whose paths, a text names without ambiguity."""
        named = named_code(text)
        found = [end for name in named.paths for end in _only(self.reading.paths_ending(self.project, [name]))]
        shorts = {name: name.rpartition(".")[2] for name in named.names}
        symbols = self.reading.symbols_named(self.project, set(shorts.values())) if shorts else ()
        for name in shorts:
            paths = {path for path, symbol in symbols if f".{symbol.name}".endswith(f".{name}")}
            found += _only(sorted(paths))
        return tuple(dict.fromkeys(found))


def _only(names: Sequence[str]) -> Sequence[str]:
    return names if len(names) == 1 else ()
