"""Divides a project into modules: by folders, so that each is neither a heap of everything nor a single file."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.codegraph.analysis.edge_weights import strongest
from holdfast.codegraph.recognised_tests import belongs_to_tests, test_folder
from holdfast.core.code_analysis import CodeModule, ModuleLink, ModuleMap

if TYPE_CHECKING:
    from holdfast.codegraph.analysis.adjacency import Adjacency
    from holdfast.core.code import FileEdge, IndexedFile

# A folder with fewer files is not divided; a project has about this many modules at most.
_SMALLEST, _MOST = 6, 30
# A module on which this many times more depends than it depends on is a foundation.
_FOUNDATION, _MANY = 2.0, 3


def module_map(
    graph: Adjacency, entry_points: Counter[int], memories: Mapping[str, Collection[str]], outdated: Collection[str]
) -> ModuleMap:
    """Returns the modules, largest first. `memories` are ids by file, `outdated` ids of memories behind their code."""
    names = divide([file.path for file in graph.files.values()])
    files: dict[str, list[IndexedFile]] = defaultdict(list)
    for file in graph.files.values():
        files[names[file.path]].append(file)
    links = _links(graph, {file.id: names[file.path] for file in graph.files.values()})
    built = [
        _module(name, inside, links, entry_points, memories, frozenset(outdated)) for name, inside in files.items()
    ]
    built.sort(key=lambda module: (-module.files, module.name))
    plain = {module.name for module in built if module.role != "tests"}
    return ModuleMap(tuple(built), cycles(_needs(links, plain, _joined(files))), graph.stale)


def divide(paths: Sequence[str]) -> dict[str, str]:
    """Returns the module of each file: the largest folder is divided into its subfolders until there are enough.

    The files directly in a divided folder are a module with the folder's name. A folder of tests is not divided: its
    subfolders are often data.
    """
    whole: dict[str, list[str]] = {"": []}
    for path in paths:
        whole.setdefault(test_folder(path) or "", []).append(path)
    final = {name for name in whole if name}
    while open_ := [name for name in whole if name not in final]:
        largest = max(open_, key=lambda name: (len(whole[name]), name))
        parts = _parts(largest, whole[largest])
        too_small = largest and len(whole[largest]) < _SMALLEST
        if too_small or (len(whole) + len(parts) - 1 > _MOST and len(whole) > 1):
            final.add(largest)
            continue
        del whole[largest]
        whole |= parts
        final |= {name for name in parts if name == largest or not _can_divide(name, parts[name])}
    return {path: name or "." for name, inside in whole.items() for path in inside}


def _parts(folder: str, paths: Iterable[str]) -> dict[str, list[str]]:
    """Divides the files of a folder by the next folder in their paths; tiny folders join the folder's own files."""
    parts: dict[str, list[str]] = defaultdict(list)
    start = len(folder) + 1 if folder else 0
    for path in paths:
        inside, slash, _ = path[start:].partition("/")
        parts[f"{folder}/{inside}" if slash and folder else inside if slash else folder].append(path)
    if len(parts) > 1:
        small = [name for name, inside in parts.items() if name != folder and len(inside) < 2]
        for name in small:
            parts[folder] += parts.pop(name)
    return dict(parts)


def _can_divide(folder: str, paths: Sequence[str]) -> bool:
    return len(paths) >= _SMALLEST and set(_parts(folder, paths)) != {folder}


def _links(graph: Adjacency, module_of: Mapping[int, str]) -> dict[tuple[str, str], list[FileEdge]]:
    """Returns the edges between files by the modules they connect, those inside a module included."""
    links: dict[tuple[str, str], list[FileEdge]] = defaultdict(list)
    for edge in graph.file_edges(list(graph.files), reverse=False):
        if edge.target in module_of:
            links[module_of[edge.source], module_of[edge.target]].append(edge)
    return links


def _joined(modules: Mapping[str, Sequence[IndexedFile]]) -> set[int]:
    """Returns the files of tiny folders that joined the files of the divided folder around them."""
    divided = {".", *(folder for name in modules for folder in modules if name.startswith(f"{folder}/"))}
    return {
        file.id for name in divided for file in modules.get(name, ()) if (file.path.rpartition("/")[0] or ".") != name
    }


def _needs(
    links: Mapping[tuple[str, str], Sequence[FileEdge]], modules: Collection[str], joined: Collection[int]
) -> dict[str, set[str]]:
    """Returns which modules need which, for circles: tiny folders that joined a module close no circle through it."""
    needs: dict[str, set[str]] = {name: set() for name in modules}
    for (of, to), edges in links.items():
        is_needed = any(edge.source not in joined and edge.target not in joined for edge in edges)
        if of in needs and to in needs and of != to and is_needed:
            needs[of].add(to)
    return needs


def _module(
    name: str,
    files: Sequence[IndexedFile],
    links: Mapping[tuple[str, str], Sequence[FileEdge]],
    entry_points: Counter[int],
    memories: Mapping[str, Collection[str]],
    outdated: frozenset[str],
) -> CodeModule:
    needs = [_link(to, edges) for (of, to), edges in links.items() if of == name and to != name]
    needed_by = sum(of != name and to == name for of, to in links)
    inside = len(links.get((name, name), ()))
    around = sum(len(edges) for (of, to), edges in links.items() if (of == name) != (to == name))
    about = [set(memories.get(file.path, ())) for file in files]
    known = set().union(*about)
    entries = sum(entry_points[file.id] for file in files)
    return CodeModule(
        name=name,
        files=len(files),
        lines=sum(file.lines for file in files),
        languages=tuple(language for language, _ in Counter(file.language for file in files).most_common()),
        role=_role(files, entries, len(needs), needed_by),
        entry_points=entries,
        cohesion=round(inside / (inside + around), 2) if inside + around else 0.0,
        needs=tuple(sorted(needs, key=lambda link: (-link.weight, link.module))),
        needed_by=needed_by,
        memories=len(known),
        covered=round(sum(map(bool, about)) / len(files), 2),
        outdated=len(known & outdated),
    )


def _link(to: str, edges: Sequence[FileEdge]) -> ModuleLink:
    return ModuleLink(to, len(edges), round(sum(strongest(edge.types).weight for edge in edges), 1))


def _role(files: Sequence[IndexedFile], entry_points: int, needs: int, needed_by: int) -> str:
    if sum(belongs_to_tests(file.path) for file in files) * 2 > len(files):
        return "tests"
    if entry_points and needed_by <= needs:
        return "entry"
    if not needs and not needed_by:
        return "isolated"
    if needed_by >= _FOUNDATION * needs and needed_by >= _MANY:
        return "foundation"
    return "hub" if min(needs, needed_by) >= _MANY else "feature"


def cycles(needs: Mapping[str, Collection[str]]) -> tuple[tuple[str, ...], ...]:
    """Returns the groups of modules that depend on each other in circles: strongly connected components (Tarjan)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[tuple[str, ...]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in sorted(needs.get(name, ())):
            if other not in order:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == order[name]:
            at = stack.index(name)
            group, stack[at:] = stack[at:], []
            if len(group) > 1:
                found.append(tuple(sorted(group)))

    for name in sorted(needs):
        if name not in order:
            visit(name)
    return tuple(sorted(found))
