"""Adding the edges of a SCIP index to the code graph."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.codegraph.scip import DEFINITION, IMPORT
from holdfast.core.errors import InvalidFile, NotFound
from holdfast.workspace import Workspace
from tests.codegraph.scip_files import document, index, occurrence

RUN, HELP, MODULE, PARAMETER = "py . a run().", "py . b help().", "py . b/", "py . a run().(x)"


@pytest.fixture
def ws(tmp_path: Path, project: Path) -> Iterator[Workspace]:
    (project / "a.py").write_text("import b\n\n\ndef run(x):\n    return getattr(b, 'help')(x)\n")
    (project / "b.py").write_text("def help(x):\n    return x\n")
    with holdfast.open(db=str(tmp_path / "s.db"), project=str(project), background=False, embedder="none") as opened:
        opened.index(docs=False)
        yield opened


@pytest.fixture
def scip(tmp_path: Path) -> str:
    file = tmp_path / "index.scip"
    file.write_bytes(
        index(
            document("b.py", [occurrence(MODULE, (0, 0, 0), DEFINITION), occurrence(HELP, (0, 4, 8), DEFINITION)]),
            document(
                "a.py",
                [
                    occurrence(MODULE, (0, 7, 8), IMPORT),
                    occurrence(RUN, (3, 4, 7), DEFINITION),
                    occurrence(PARAMETER, (3, 8, 9), DEFINITION),
                    occurrence(HELP, (4, 23, 27)),
                    occurrence(HELP, (4, 23, 27)),
                    occurrence("local 1", (4, 1, 2)),
                    occurrence(RUN, (4, 0, 3)),
                ],
            ),
            document("elsewhere.py", [occurrence(HELP, (1, 1, 2))]),
        )
    )
    return str(file)


def edges(ws: Workspace) -> set[tuple[str, str, str, str, int]]:
    found = ws.container.reading.code_graph(ws.project).edges
    return {(e.source, e.type, f"{e.target_path}:{e.target}", e.origin, e.places) for e in found}


def test_edges_that_only_a_compiler_sees_are_added(ws: Workspace, scip: str) -> None:
    assert ws.impact("b.py:help").affected == ()
    report = ws.import_scip(scip)
    assert (report.files, report.edges, report.outdated) == (2, 2, 0)
    assert ("run", "calls", "b.py:help", "scip", 2) in edges(ws)
    assert ("", "imports", "b.py:", "scip", 1) in edges(ws)
    assert [code.name for code in ws.impact("b.py:help").affected] == ["a.py:run"]
    [needed] = ws.dependencies("a.py").needed
    assert (needed.name, needed.types) == ("b.py", ("calls",))
    before = edges(ws)
    ws.import_scip(scip)
    assert edges(ws) == before


def test_they_stay_until_the_file_is_resolved_again(ws: Workspace, scip: str, project: Path) -> None:
    ws.import_scip(scip)
    (project / "b.py").write_text("def other(x):\n    return x\n")
    ws.index(docs=False)
    assert not any(origin == "scip" for *_, origin, _ in edges(ws))
    assert ws.dependencies("a.py").needed[0].types != ("calls",)


def test_files_that_changed_after_the_index_was_made_are_skipped(ws: Workspace, scip: str) -> None:
    os.utime(scip, (1, 1))
    report = ws.import_scip(scip)
    assert (report.files, report.edges, report.outdated) == (0, 0, 2)


def test_what_is_no_index_is_refused(ws: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        ws.import_scip(str(tmp_path / "nothing.scip"))
    (tmp_path / "text.scip").write_text("not an index")
    with pytest.raises(InvalidFile):
        ws.import_scip(str(tmp_path / "text.scip"))
