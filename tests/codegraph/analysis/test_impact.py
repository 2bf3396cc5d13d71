"""Impact and dependencies of files and symbols, in an index that may be behind the files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from holdfast.codegraph.analysis import graph_questions as module
from holdfast.codegraph.recognised_tests import belongs_to_tests, is_test_file
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.workspace import Workspace
from tests.codegraph.analysis.conftest import FILES, put


def names(codes) -> list[tuple[int, str]]:
    return [(code.depth, code.name) for code in codes]


def test_the_impact_of_a_file_is_told_by_files(ws: Workspace) -> None:
    found = ws.impact("app/client.py")
    assert names(found.affected) == [(1, "app/__init__.py"), (1, "app/main.py"), (2, "tests/test_main.py")]
    farthest = found.affected[-1]
    assert farthest.via == ("app/client.py", "app/main.py", "tests/test_main.py")
    assert (farthest.types, farthest.weight, farthest.is_test) == (("calls", "calls"), 0.81, True)
    assert [test.ids for test in found.tests] == [("tests/test_main.py",)]
    assert (len(found.direct), len(found.transitive), found.score) == (2, 1, 2.61)


def test_a_test_in_another_language_is_not_named_after_a_file(ws: Workspace, project: Path) -> None:
    put(project, "tests/test_errors.py", "assert True\n")
    put(project, "tests/errors_test.rs", "fn main() {}\n")
    ws.index(code=True, docs=False)
    assert [test.path for test in ws.impact("app/errors.py").tests] == ["tests/test_errors.py"]


def test_the_nearest_tests_come_first_and_those_only_named_alike_last(ws: Workspace, project: Path) -> None:
    put(project, "app/far.py", "import app.client\n")
    put(project, "tests/test_client_far.py", "import app.far\n")
    put(project, "tests/test_near.py", "import app.client\n")
    put(project, "tests/other/test_client.py", "assert True\n")
    ws.index(code=True, docs=False)
    found = ws.impact("app/client.py").tests
    assert [(test.depth, test.path) for test in found] == [
        (1, "tests/test_near.py"),
        (2, "tests/test_client_far.py"),
        (2, "tests/test_main.py"),
        (0, "tests/other/test_client.py"),
    ]


def test_the_impact_of_a_symbol_is_told_by_symbols(ws: Workspace) -> None:
    found = ws.impact("app/session.py:Session.headers")
    assert names(found.affected) == [
        (1, "app/client.py:Client.get"),
        (1, "tests/test_session.py:TestSession.test_headers"),
        (2, "app/main.py:main"),
        (3, "app/main.py"),
        (3, "tests/test_main.py:test_main"),
    ]
    assert [test.ids for test in found.tests] == [
        ("tests/test_session.py::TestSession::test_headers",),
        ("tests/test_main.py::test_main",),
    ]
    assert found.affected[0].line == 8


def test_the_impact_of_a_class_includes_that_of_its_members(ws: Workspace) -> None:
    found = {name for _, name in names(ws.impact("app/session.py:Session", depth=1).affected)}
    assert {"app/session.py:open_session", "app/client.py:Client.get", "tests/helpers.py"} <= found
    assert not any(name.startswith("app/session.py:Session.") for name in found)


def test_a_call_of_a_class_is_a_call_of_its_constructor(ws: Workspace) -> None:
    found = names(ws.impact("app/session.py:Session.__init__", depth=1).affected)
    assert (1, "app/session.py:open_session") in found


def test_code_at_the_top_level_belongs_to_the_variable_it_defines(ws: Workspace) -> None:
    assert (1, "app/session.py:DEFAULT") in names(ws.impact("app/session.py:open_session").affected)


def test_the_impact_of_a_folder_names_what_is_outside(ws: Workspace) -> None:
    found = ws.impact("app/")
    assert found.kind == "folder"
    assert {code.path for code in found.affected} == {
        "tests/test_session.py", "tests/test_main.py", "tests/helpers.py"
    }  # fmt: skip


def test_the_closure_is_the_same_answer_as_rows(ws: Workspace) -> None:
    found = ws.impact("app/client.py")
    rows = found.closure
    assert [(row.ancestor, row.descendant, row.depth) for row in rows] == [
        ("app/client.py", code.name, code.depth) for code in found.affected
    ]
    assert rows[-1].path == ("app/client.py", "app/main.py", "tests/test_main.py")
    assert (rows[-1].edge_types, rows[-1].total_weight) == (("calls", "calls"), 0.81)


def test_dependencies_are_the_opposite_direction(ws: Workspace) -> None:
    found = ws.dependencies("app/main.py", depth=2)
    assert names(found.needed) == [(1, "app/client.py"), (2, "app/session.py")]
    assert names(ws.dependencies("app/client.py:connect").needed) == [
        (1, "app/client.py:Client"),
        (1, "app/session.py:open_session"),
    ]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("app/client.py", "app/client.py", "file"),
        ("./client.py", "app/client.py", "file"),
        ("app/client.py:Client.get", "app/client.py:Client.get", "method"),
        ("client.py:get", "app/client.py:Client.get", "method"),
        ("app/client.py:9", "app/client.py:Client.get", "method"),
        ("app/client.py:2", "app/client.py", "file"),
        ("open_session", "app/session.py:open_session", "function"),
        ("Client.get()", "app/client.py:Client.get", "method"),
        (
            "tests/test_session.py::TestSession::test_headers",
            "tests/test_session.py:TestSession.test_headers",
            "method",
        ),
        (".", ".", "folder"),
    ],
)
def test_code_can_be_named_in_several_ways(ws: Workspace, text: str, name: str, kind: str) -> None:
    found = ws.dependencies(text)
    assert (found.target, found.kind) == (name, kind)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("app/cleint.py", "Did you mean app/client.py?"),
        ("app/client.py:Cleint", "app/client.py:Client"),
        ("open_sesion", "Did you mean open_session?"),
        ("__init__", "app/client.py:Client.__init__, app/session.py:Session.__init__"),
        ("zzz/zzz.py", "Name a file"),
        ("zoom.py", "Name a file"),  # the ending alone is no resemblance
        ("app/unrelated.py:zzz", "defines no such name"),
    ],
)
def test_an_unknown_name_is_answered_with_similar_ones(ws: Workspace, text: str, hint: str) -> None:
    with pytest.raises(NotFound) as raised:
        ws.impact(text)
    assert hint in str(raised.value)


@pytest.mark.parametrize("text", ["", "  ", "x" * 2_000])
def test_a_name_must_have_a_length(ws: Workspace, text: str) -> None:
    with pytest.raises(InvalidInput):
        ws.impact(text)


@pytest.mark.parametrize("depth", [0, -1, 21])
def test_the_depth_is_limited(ws: Workspace, depth: int) -> None:
    with pytest.raises(InvalidInput):
        ws.impact("app/client.py", depth)


def test_without_an_index_the_next_step_is_named(tmp_path: Path, ws: Workspace) -> None:
    ws.container.store.graph.remove(ws.project, list(FILES))
    with pytest.raises(NotFound, match="holdfast index"):
        ws.impact("app/client.py")


def test_a_file_that_was_never_indexed_is_indexed_before_the_answer(ws: Workspace, project: Path) -> None:
    put(project, "app/new.py", "from app.client import Client\n\n\ndef made():\n    return Client()\n")
    assert ws.impact("app/new.py:made").target == "app/new.py:made"
    assert (1, "app/new.py") in names(ws.impact("app/client.py").affected)


@pytest.mark.parametrize("path", ["app/notes.xyz", "app/notes.xyz:word"])
def test_a_file_without_a_graph_is_named_with_the_reason(ws: Workspace, project: Path, path: str) -> None:
    put(project, "app/notes.xyz", "nothing\n")
    with pytest.raises(NotFound, match="its language has no code graph") as raised:
        ws.impact(path)
    assert "app/notes.xyz in the code index" in str(raised.value)


@pytest.mark.parametrize(
    ("path", "source", "why"),
    [
        ("build/made.py", "x = 1\n", "index_ignore ignores it"),
        ("app/api_pb2.py", "x = 1\n", "it is generated"),
        ("web/vendor/reef.js", "/*! Copyright (c) them, v1.2.3 */\n", "a copy of a library"),
        ("app/raw.py", "\0" * 9, "no readable text"),
        ("papers/note.txt", "nothing\n", "its language has no code graph"),
    ],
)
def test_a_file_that_the_index_leaves_out_is_named_with_the_reason(ws, project, path, source, why):
    put(project, path, source)
    with pytest.raises(NotFound, match=why):
        ws.impact(path)


def test_a_folder_without_code_and_a_place_outside_are_named(ws: Workspace, project: Path) -> None:
    put(project, "papers/note.txt", "nothing\n")
    with pytest.raises(NotFound, match="none of its files is in the code index"):
        ws.impact("papers")
    with pytest.raises(NotFound, match="outside the project"):
        ws.impact(str(project.parent / "outside.py"))
    assert ws.impact(str(project / "app" / "client.py")).target == "app/client.py"


def test_a_file_outside_the_project_is_not_indexed(ws: Workspace, project: Path) -> None:
    put(project.parent, "outside.py", "x = 1\n")
    with pytest.raises(NotFound, match="Name a file"):
        ws.impact("../outside.py")


def test_a_changed_file_is_indexed_before_the_answer(ws: Workspace, project: Path) -> None:
    put(project, "app/main.py", "def main():\n    return 1\n")
    assert names(ws.impact("app/client.py").affected) == [(1, "app/__init__.py")]
    (project / "app/__init__.py").unlink()
    found = ws.impact("app/client.py")
    assert (found.affected, found.stale) == ((), ())


def test_the_edges_of_many_changed_files_are_left_out(
    ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_UPDATED", 0)
    put(project, "app/main.py", "def main():\n    return 1\n")
    found = ws.impact("app/client.py")
    assert names(found.affected) == [(1, "app/__init__.py")]
    assert found.stale == ("app/main.py",)
    assert ws.upkeep("code") == {"code": {"updated": 1, "resolved": 2}}
    assert ws.impact("app/client.py").stale == ()


def test_a_warm_answer_equals_a_cold_one(ws: Workspace) -> None:
    for target in ("app/session.py", "app/session.py:Session", "app/session.py:open_session"):
        ws.impact("app/client.py:Client"), ws.dependencies("app/main.py:main", depth=5)
        warm = ws.impact(target, depth=6)
        ws.container.code_analysis._graph = None
        assert ws.impact(target, depth=6) == warm


def test_memories_about_the_code_are_named(ws: Workspace) -> None:
    ws.remember("Sessions are never shared between users.", type="decision", files=["app/session.py"])
    ws.remember("The client retries twice.", files=["app/client.py"])
    ws.remember("Lunch is at noon.")
    found = ws.impact("app/session.py")
    assert [(memory.depth, memory.path, memory.type) for memory in found.memories] == [
        (0, "app/session.py", "decision"),
        (1, "app/client.py", "fact"),
    ]


@pytest.mark.parametrize(
    "path",
    ["tests/test_a.py", "test_a.py", "a_test.py", "a_test.go", "src/a.test.tsx", "a.spec.mjs", "src/__tests__/a.ts",
     "tests/a.rs", "src/test/AppTest.java", "test/unit/test-a.js"],
)  # fmt: skip
def test_tests_are_recognised(path: str) -> None:
    assert is_test_file(path)
    assert belongs_to_tests(path)


@pytest.mark.parametrize("path", ["src/a.py", "contest.py", "latest.ts", "src/testing_tools.py", "attest/a.py"])
def test_other_files_are_not_tests(path: str) -> None:
    assert not is_test_file(path)
    assert not belongs_to_tests(path)


def test_helpers_of_tests_belong_to_them() -> None:
    assert belongs_to_tests("tests/conftest.py")
    assert not is_test_file("tests/conftest.py")


@pytest.mark.parametrize("place", ["app/new.py", "new/deep/new.py", "docs/new.py", "new.py"])
@pytest.mark.parametrize("with_git", [False, True])
def test_new_files_are_in_the_answer_at_once(ws: Workspace, project: Path, place: str, with_git: bool) -> None:
    if with_git:
        subprocess.run(["git", "init", "-q", str(project)], check=True)
    put(project, "docs/readme.md", "# Read me\n")
    put(project, ".gitignore", "ignored.py\n")
    ws.index(docs=False)
    before = {code.path for code in ws.impact("app/session.py").affected}
    put(project, place, "from app.session import open_session\ndef mine(): open_session(1)\n")
    put(project, "app/ignored.py", "from app.session import open_session\n")
    found = ws.impact("app/session.py")
    assert {code.path for code in found.affected} - before - {"app/ignored.py"} == {place}
    assert ("app/ignored.py" in {code.path for code in found.affected}) != with_git
    assert found.stale == ()
    assert ws.impact("app/session.py") == found
    (project / place).unlink()
    assert place not in {code.path for code in ws.impact("app/session.py").affected}


def test_many_new_files_are_named_instead(ws: Workspace, project: Path) -> None:
    ws.index(docs=False)
    names = [f"app/new{number}.py" for number in range(30)]
    for name in names:
        put(project, name, "from app.session import open_session\n")
    assert set(ws.impact("app/session.py").stale) == set(names)
    assert set(ws.flow("app/session.py:open_session").stale) == set(names)
    ws.index(docs=False)
    found = ws.impact("app/session.py")
    assert set(names) <= {code.path for code in found.affected}
    assert found.stale == ()
