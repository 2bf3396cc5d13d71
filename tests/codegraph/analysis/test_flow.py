"""Data flow: entry points, calls, results and errors; the modules of a project."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from holdfast.codegraph.analysis.modules import cycles, divide
from holdfast.workspace import Workspace
from tests.codegraph.analysis.conftest import put


def test_data_arrives_from_a_route_and_is_passed_on(ws: Workspace) -> None:
    found = ws.flow("app/store.py:load")
    [arrival] = found.arrivals
    assert (arrival.kind, arrival.entry, arrival.path, arrival.line) == ("route", "/items/<key>", "app/web.py", 5)
    assert arrival.via == ("app/web.py:item", "app/store.py:handle", "app/store.py:load")
    assert found.start is not None
    assert (found.start.parameters, found.start.returns) == (("key", "default"), "dict")
    assert [step.name for step in found.passed_to] == ["app/errors.py:Missing"]
    assert [(step.name, step.line) for step in found.returned_to] == [("app/store.py:handle", 10)]


def test_an_error_is_handled_where_a_base_class_is_caught(ws: Workspace) -> None:
    [error] = ws.flow("app/web.py:item").errors
    assert error.name == "app/errors.py:Missing"
    assert (error.raised_in, error.handled_in) == (("app/store.py:load",), ("app/store.py:handle",))


def test_the_flow_of_a_file_is_that_of_its_symbols(ws: Workspace) -> None:
    found = ws.flow("app/session.py")
    assert found.start is None
    assert [step.name for step in found.returned_to][:2] == ["app/client.py:Client.get", "app/client.py:connect"]
    assert {arrival.kind for arrival in found.arrivals} == {"command", "main"}


def test_entry_points_include_installed_commands(ws: Workspace) -> None:
    found = {(point.kind, point.entry, *point.via) for point in ws.entry_points()}
    assert found == {
        ("main", "main.py", "app/main.py"),
        ("route", "/items/<key>", "app/web.py:item"),
        ("command", "kelp", "app/main.py:main"),
    }


def test_broken_package_files_are_ignored(ws: Workspace, project: Path) -> None:
    for text in ("[", "[project]\nscripts = 1\n", "[project.scripts]\nx = 1\ny = ':'\n", "a" * 10_000):
        put(project, "pyproject.toml", text)
        assert len(ws.entry_points()) == 2
    for text in ("[]", '{"bin": 3}', '{"name": [], "bin": "./nowhere.js"}', "\x00", "[" * 5_000):
        put(project, "package.json", text)
        assert len(ws.entry_points()) == 2


def test_a_changed_file_is_indexed_before_the_flow_is_traced(ws: Workspace, project: Path) -> None:
    put(project, "app/store.py", "def load(key): ...\n")
    assert ws.flow("app/store.py:load").returned_to == ()


def test_modules_have_roles_links_and_memories(ws: Workspace) -> None:
    ws.remember("Sessions are never shared.", type="decision", files=["app/session.py"])
    found = {module.name: module for module in ws.modules().modules}
    assert found.keys() == {"app", "tests"}
    assert (found["tests"].role, found["tests"].needed_by) == ("tests", 0)
    assert [(link.module, link.files) for link in found["tests"].needs] == [("app", 3)]
    app = found["app"]
    assert (app.files, app.entry_points, app.memories, app.languages) == (8, 3, 1, ("python",))
    assert app.covered == round(1 / 8, 2)
    assert app.lines == sum(file.lines for file in ws.container.reading.code_files(ws.project) if "app" in file.path)


def test_an_empty_project_has_no_modules(ws: Workspace) -> None:
    ws.container.store.graph.remove(ws.project, list(ws.container.store.graph.stamps(ws.project)))
    assert ws.modules().modules == ()


NAMES = st.sampled_from(["a", "b", "c", "tests", "src"])
PATHS = st.lists(st.lists(NAMES, max_size=4).map(lambda parts: "/".join([*parts, "x.py"])), max_size=120)


@given(PATHS.map(lambda paths: [f"{path[:-3]}{n}.py" for n, path in enumerate(paths)]))
def test_every_file_is_in_one_module_that_contains_it(paths: list[str]) -> None:
    modules = divide(paths)
    assert modules.keys() == set(paths)
    assert all(name == "." or path.startswith(f"{name}/") for path, name in modules.items())
    assert len(set(modules.values())) <= 40


@given(st.dictionaries(st.integers(0, 8).map(str), st.sets(st.integers(0, 8).map(str)), max_size=9))
def test_circles_are_the_modules_that_reach_each_other(needs: dict[str, set[str]]) -> None:
    needs = {name: {other for other in others if other in needs} for name, others in needs.items()}

    def reach(start: str) -> set[str]:
        seen: set[str] = set()
        todo = [start]
        while todo:
            new = needs[todo.pop()] - seen
            seen |= new
            todo += new
        return seen

    together = {frozenset({a, b}) for a in needs for b in needs if a != b and b in reach(a) and a in reach(b)}
    found = {frozenset({a, b}) for group in cycles(needs) for a in group for b in group if a != b}
    assert found == together
