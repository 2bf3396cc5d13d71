"""The code graph in a store: what is written is read, and what depends on a change becomes stale."""

from __future__ import annotations

import pytest

from holdfast.core.code import CodeEdge, CodeFile, CodeSymbol, FileEdge, FileStamp, ResolvedFile, UnresolvedName
from holdfast.store.protocol import Store
from holdfast.system.project import ProjectIdentity
from tests.store.conftest import NOW, PROJECT

OTHER = "other"


@pytest.fixture
def filled(store: Store) -> Store:
    """`b.py` calls `a.py` and looks for a module `c`; another project has the same paths."""
    store.projects.recognise(ProjectIdentity("/other", "other", None, None, OTHER), OTHER, NOW)
    for project in (PROJECT, OTHER):
        store.graph.put(project, [file("a.py"), file("b.py")])
        store.graph.resolve(project, [resolved("a.py"), resolved("b.py", "a.py", lookups=("c",))], NOW)
    return store


def file(path: str, hash: str = "1", interface: str = "i") -> CodeFile:
    symbols = (CodeSymbol("run", "function", 1, 2), CodeSymbol("Run", "class", 4, 9))
    return CodeFile(path, "python", 9, FileStamp(10, 20, hash, 1, interface), f"{path} {hash}".encode(), symbols)


def edge(path: str, to: str) -> CodeEdge:
    return CodeEdge(path, "run", to, "Run", "calls", "exact", 3, 2)


def resolved(path: str, *to: str, hash: str = "1", lookups: tuple[str, ...] = ()) -> ResolvedFile:
    edges = tuple(edge(path, target) for target in to)
    return ResolvedFile(path, hash, edges, (UnresolvedName("x.y", "calls", "unknown", 7, 2),), 5, to, lookups)


def test_files_symbols_and_edges_are_read_as_written(filled: Store) -> None:
    graph = filled.reading.code_graph(PROJECT)
    assert graph.files == (("a.py", "python"), ("b.py", "python"))
    assert sorted(graph.symbols) == sorted((path, s) for path in ("a.py", "b.py") for s in file(path).symbols)
    assert graph.edges == (edge("b.py", "a.py"),)
    assert graph.generation == filled.reading.code_generation(PROJECT) > 0
    assert filled.reading.unresolved(PROJECT, "b.py") == (UnresolvedName("x.y", "calls", "unknown", 7, 2),)
    assert filled.graph.stamps(PROJECT)["a.py"] == FileStamp(10, 20, "1", 1, "i")
    assert filled.graph.record(PROJECT, "a.py") == b"a.py 1"
    assert filled.graph.record(PROJECT, "nowhere.py") is None


def test_edges_are_read_from_either_end(filled: Store) -> None:
    b_py = edge("b.py", "a.py")
    edges = (b_py, b_py._replace(target="Run.start", type="uses", confidence="inferred"), b_py._replace(type="uses"))
    twice = b_py._replace(source="walk", type="uses", confidence="guess")
    inside = edge("b.py", "b.py")
    filled.graph.resolve(PROJECT, [resolved("b.py")._replace(edges=(*edges, twice, inside))], NOW)
    a, b = filled.reading.code_files(PROJECT)
    assert (a.path, a.lines, a.size, a.mtime_ns, a.stale) == ("a.py", 9, 10, 20, 0)
    assert filled.reading.file_edges([b.id]) == (FileEdge(b.id, a.id, "calls exact,uses exact"),)
    assert filled.reading.file_edges([a.id], reverse=True) == filled.reading.file_edges([b.id])
    assert filled.reading.file_edges([a.id]) == ()
    called = filled.reading.symbol_edges([(a.id, "Run")], reverse=True)
    assert {(e.source, e.target, e.type) for e in called} == {
        ("run", "Run", "calls"), ("run", "Run", "uses"), ("run", "Run.start", "uses"), ("walk", "Run", "uses")
    }  # fmt: skip
    alone = filled.reading.symbol_edges([(a.id, "Run")], reverse=True, members=False)
    assert {e.target for e in alone} == {"Run"}
    assert {e.target_file for e in filled.reading.symbol_edges([(b.id, "run")])} == {a.id, b.id}
    assert filled.reading.symbol_edges([(b.id, "ru")]) == ()
    assert [name.name for _, name in filled.reading.symbols_of([a.id])] == ["run", "Run"]


def test_the_state_counts_a_project(filled: Store) -> None:
    state = filled.reading.code_state(PROJECT)
    assert (state.files, state.symbols, state.edges, state.unresolved, state.external) == (2, 4, 1, 4, 10)
    assert (state.stale, state.languages, state.indexed_at) == (0, {"python": 2}, NOW)


def test_a_project_without_code_has_an_empty_graph(store: Store) -> None:
    assert store.reading.code_graph(PROJECT).files == ()
    assert store.reading.code_generation(PROJECT) == 0
    assert store.reading.code_state(PROJECT).indexed_at is None


def test_a_change_of_contents_makes_only_the_file_itself_stale(filled: Store) -> None:
    before = filled.reading.code_generation(PROJECT)
    filled.graph.put(PROJECT, [file("a.py", hash="2")])
    assert filled.graph.stale(PROJECT) == ("a.py",)
    assert filled.reading.stale_code(PROJECT) == ("a.py",)
    assert filled.reading.code_generation(PROJECT) > before
    assert filled.reading.code_graph(PROJECT).edges == (edge("b.py", "a.py"),)


def test_a_file_whose_code_moved_keeps_its_edges(filled: Store) -> None:
    moved = file("b.py", hash="2")._replace(symbols=(CodeSymbol("run", "function", 11, 12),), lines=19)
    filled.graph.move(PROJECT, moved, {3: 13, 7: 17, 13: 23})
    assert filled.graph.stale(PROJECT) == ()
    graph = filled.reading.code_graph(PROJECT)
    assert graph.edges == (edge("b.py", "a.py")._replace(line=13),)
    assert [symbol for path, symbol in graph.symbols if path == "b.py"] == [CodeSymbol("run", "function", 11, 12)]
    assert [name.line for name in filled.reading.unresolved(PROJECT, "b.py")] == [17]
    assert filled.graph.stamps(PROJECT)["b.py"].hash == "2"
    filled.graph.mark_stale(PROJECT, ["b.py"])
    filled.graph.move(PROJECT, moved, {})
    assert filled.graph.stale(PROJECT) == ("b.py",)


def test_files_that_changed_on_disk_can_be_marked(filled: Store) -> None:
    before = filled.reading.code_generation(PROJECT)
    filled.graph.mark_stale(PROJECT, ["b.py", "not/indexed.py"])
    assert filled.graph.stale(PROJECT) == ("b.py",)
    assert filled.reading.code_generation(PROJECT) == before + 1
    filled.graph.mark_stale(PROJECT, ["b.py"])
    assert filled.reading.code_generation(PROJECT) == before + 1


def test_a_change_of_the_interface_makes_dependents_stale(filled: Store) -> None:
    filled.graph.put(PROJECT, [file("a.py", hash="2", interface="j")])
    assert filled.graph.stale(PROJECT) == ("a.py", "b.py")


def test_a_removed_file_takes_its_edges_along_and_makes_dependents_stale(filled: Store) -> None:
    filled.graph.remove(PROJECT, ["a.py"], ["a"])
    assert filled.graph.stale(PROJECT) == ("b.py",)
    assert filled.reading.code_graph(PROJECT).edges == ()


def test_a_new_file_makes_stale_what_looked_for_its_name(filled: Store) -> None:
    filled.graph.put(PROJECT, [file("c.py")], ["c"])
    assert filled.graph.stale(PROJECT) == ("b.py", "c.py")


def test_a_resolution_of_earlier_contents_is_not_stored(filled: Store) -> None:
    filled.graph.put(PROJECT, [file("b.py", hash="2")])
    filled.graph.resolve(PROJECT, [resolved("b.py", hash="1")], NOW)
    assert filled.graph.stale(PROJECT) == ("b.py",)
    filled.graph.resolve(PROJECT, [resolved("b.py", hash="2")], NOW)
    assert filled.graph.stale(PROJECT) == ()
    assert filled.reading.code_graph(PROJECT).edges == ()


def test_an_edge_to_a_removed_file_is_left_out(filled: Store) -> None:
    filled.graph.put(PROJECT, [file("b.py", hash="2")])
    filled.graph.resolve(PROJECT, [resolved("b.py", "gone.py", "a.py", hash="2")], NOW)
    assert filled.reading.code_graph(PROJECT).edges == (edge("b.py", "a.py"),)


def test_configuration_and_invalidation(filled: Store) -> None:
    assert filled.graph.configuration(PROJECT) == ""
    filled.graph.configure(PROJECT, "hash")
    assert filled.graph.configuration(PROJECT) == "hash"
    filled.graph.invalidate(PROJECT)
    assert filled.graph.stale(PROJECT) == ("a.py", "b.py")


def test_new_times_are_stored_only_for_unchanged_contents(filled: Store) -> None:
    stamps = {"a.py": FileStamp(10, 99, "1", 1, "i"), "b.py": FileStamp(10, 99, "2", 1, "i")}
    filled.graph.restat(PROJECT, stamps)
    assert {path: stamp.mtime_ns for path, stamp in filled.graph.stamps(PROJECT).items()} == {"a.py": 99, "b.py": 20}


def test_projects_are_apart(filled: Store) -> None:
    filled.graph.remove(PROJECT, ["a.py", "b.py"], ["a", "b", "c"])
    filled.graph.invalidate(PROJECT)
    assert filled.graph.stale(OTHER) == ()
    assert filled.reading.code_graph(OTHER).edges == (edge("b.py", "a.py"),)
    assert filled.reading.code_graph(PROJECT).files == ()
