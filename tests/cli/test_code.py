"""The commands for code: text, JSON and pictures; names that do not exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.core.code_analysis import CodeModule, ModuleLink, ModuleMap
from holdfast.interfaces.cli.modules_text import modules_text
from tests.codegraph import scip_files
from tests.codegraph.analysis.conftest import FILES, put


@pytest.fixture
def indexed(holdfast, world: Path) -> None:
    for path, text in FILES.items():
        put(world, path, text)
    assert holdfast("index", "--only", "code").code == 0


@pytest.mark.usefixtures("indexed")
def test_impact_of_a_symbol(holdfast):
    holdfast("remember", "Sessions are never shared.", "--type", "decision", "--file", "app/session.py")
    said = holdfast("impact", "app/session.py:Session.headers").out
    assert said.startswith(
        "app/session.py:Session.headers  method\n"
        "4 files depend on it; 2 direct dependents.\n"
        "\n"
        "Directly affected (2)\n"
        "  app/client.py\n"
        "    Client.get:8  calls · 0.80\n"
        "  tests/test_session.py\n"
        "    TestSession.test_headers:5  calls · 0.80\n"
        "\n"
        "Affected at depth 2 (1)\n"
        "  app/main.py\n"
        "    main:4  calls, through client.py:Client.get · 0.64\n"
    )
    assert "Tests to run\n  tests/test_session.py::TestSession::test_headers\n  tests/test_main.py::test_main\n" in said
    assert "decision  app/session.py: Sessions are never shared." in said


@pytest.mark.usefixtures("indexed")
def test_deps_of_a_file(holdfast):
    said = holdfast("deps", "app/main.py", "--depth", "2").out
    assert "Depends directly on (1)\n  app/client.py  calls · 0.90\n" in said
    assert "Through others, depth 2 (1)\n  app/session.py  calls, through client.py · 0.81" in said


@pytest.mark.usefixtures("indexed")
def test_json_has_the_whole_answer(holdfast):
    said = holdfast("impact", "app/client.py", "--json").json
    assert said["affected"][0] == {
        "name": "app/__init__.py", "path": "app/__init__.py", "symbol": "", "depth": 1, "weight": 0.9,
        "via": ["app/client.py", "app/__init__.py"], "types": ["imports"], "confidence": "exact", "line": None,
        "is_test": False,
    }  # fmt: skip
    assert said["tests"][0]["ids"] == ["tests/test_main.py"]
    assert holdfast("deps", "app/client.py", "--json").json["needed"][0]["name"] == "app/session.py"


@pytest.mark.usefixtures("indexed")
def test_pictures(holdfast, world):
    put(world, 'odd/"]-->x.py', "import app.client\n")
    holdfast("index", "--only", "code")
    said = holdfast("impact", "app/client.py", "--mermaid").out
    assert said.startswith('flowchart LR\n  n0["app/client.py"]\n')
    assert "n0 -->|calls| n" in said
    assert 'odd/#34;#93;--#62;x.py"]' in said
    said = holdfast("impact", "app/client.py", "--dot").out
    assert said.startswith("digraph code {")
    assert 'label="odd/\\"]-->x.py"' in said
    assert said.rstrip().endswith("}")


@pytest.mark.usefixtures("indexed")
def test_long_answers_are_cut(holdfast):
    said = holdfast("impact", "app/session.py", "--limit", "1").out
    assert "… and 2 more; --limit shows them" in said


@pytest.mark.usefixtures("indexed")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_unknown_names(holdfast, lang):
    ran = holdfast("impact", "app/sesion.py", "--lang", lang)
    assert (ran.code, ran.out) == (1, "")
    assert "Did you mean app/session.py?" in ran.err
    assert holdfast("impact", "").code == 2
    assert holdfast("impact", "app/client.py", "--depth", "99").code == 2


@pytest.mark.usefixtures("indexed")
def test_paths_are_relative_to_the_working_folder(holdfast, world, monkeypatch):
    monkeypatch.chdir(world / "app")
    monkeypatch.setenv("HOLDFAST_PROJECT", str(world))
    assert holdfast("impact", "session.py:open_session", "--json").json["target"] == "app/session.py:open_session"


def test_before_the_first_index_the_next_step_is_named(holdfast):
    ran = holdfast("deps", "app.py")
    assert ran.code == 1
    assert "app.py in the code index. No code of this project is indexed yet; run `holdfast index`." in ran.err


@pytest.mark.usefixtures("indexed")
def test_flow(holdfast):
    said = holdfast("flow", "app/store.py:load").out
    assert said.startswith("app/store.py:load  function\nTakes key, default. Returns dict.\n\n")
    assert "Arrives from (1 entry point)\n" in said
    assert "  route /items/<key>  app/web.py:5\n    web.py:item → store.py:handle → store.py:load\n" in said
    assert "Errors\n  Missing  app/errors.py\n    raised in store.py:load\n    handled in store.py:handle\n" in said
    assert "command  kelp " in holdfast("flow").out
    assert holdfast("flow", "--json").json[0]["kind"] == "main"
    assert "n0" in holdfast("flow", "app/store.py:load", "--mermaid").out
    assert "No calls" in holdfast("flow", "app/unrelated.py:nothing").out


@pytest.mark.usefixtures("indexed")
def test_modules(holdfast):
    holdfast("remember", "Sessions are never shared.", "--type", "decision", "--file", "app/session.py")
    said = holdfast("modules").out
    assert said.splitlines()[0].split() == ["module", "files", "lines", "role", "memories", "depends", "on"]
    assert "1 of 1 modules have memories, tests aside." in said
    assert holdfast("modules", "--json").json["modules"][0]["name"] == "app"
    assert holdfast("modules", "--dot").out.startswith("digraph code {")


def test_modules_of_nothing(holdfast):
    assert "Run `holdfast index` first" in holdfast("modules").out
    assert holdfast("flow").out == "No entry points found.\n"


@pytest.mark.usefixtures("indexed")
def test_the_edges_of_a_scip_index_can_be_added(holdfast, world):
    put(world, "app/dynamic.py", "import app.store\n\n\ndef run(x):\n    return vars(app.store)['load'](x)\n")
    holdfast("index", "--only", "code")
    load = "py . app.store load()."
    (world / "index.scip").write_bytes(
        scip_files.index(
            scip_files.document("app/store.py", [scip_files.occurrence(load, (3, 4, 8), 1)]),
            scip_files.document("app/dynamic.py", [scip_files.occurrence(load, (4, 28, 32))]),
        )
    )
    assert holdfast("index", "--scip", "index.scip").out == "Added 1 dependency of 2 files.\n"
    affected = holdfast("impact", "app/store.py:load", "--json").json["affected"]
    assert "app/dynamic.py:run" in [code["name"] for code in affected]
    assert holdfast("index", "--scip", "app/store.py").code == 2
    assert holdfast("index", "--scip", "nowhere.scip").code == 1


@pytest.mark.usefixtures("indexed")
def test_what_is_left_out_is_counted_by_symbols(holdfast, world):
    calls = "\n".join(f"def f{number}():\n    return Session().headers()\n" for number in range(5))
    put(world, "app/many.py", f"from app.session import Session\n\n{calls}")
    holdfast("index", "--only", "code")
    said = holdfast("impact", "app/session.py:Session.headers", "--limit", "3", "--depth", "1").out
    listed = said.split("Directly affected (7)\n")[1].split("\n\n")[0].split("\n")
    assert sum(line.startswith("    ") for line in listed) == 3
    assert listed[-1].strip() == "… and 4 more; --limit shows them"
    assert listed[-2].startswith("    ")


def test_unnamed_functions_and_objects_are_left_out_of_names(holdfast, world):
    source = "export const make = () => ({ run: () => work() });\nexport function work() {}\n"
    put(world, "a.ts", source.replace("make =", "make = wrap(").replace("});", "}));"))
    holdfast("index", "--only", "code")
    said = holdfast("impact", "a.ts:work").out
    assert "run:1  calls" in said
    assert "<" not in said


@pytest.mark.usefixtures("indexed")
def test_uses_of_other_packages_are_counted_for_files_only(holdfast):
    assert "uses of other packages" in holdfast("deps", "app/main.py").out
    assert "uses of other packages" not in holdfast("deps", "app/main.py:main").out
    assert holdfast("deps", "app/main.py:main", "--json").json["external"] is None


def test_a_tiny_folder_that_joined_the_root_closes_no_circle(holdfast, world):
    put(world, "go.mod", "module m\n")
    put(world, "utils/utils.go", "package utils\nfunc Help() {}\n")
    put(world, "main.go", 'package main\nimport "m/ui"\nfunc main() { ui.Show1() }\n')
    for number in range(6):
        source = f'package ui\nimport "m/utils"\nfunc Show{number}() {{ utils.Help() }}\n'
        put(world, f"ui/view{number}.go", source)
    holdfast("index", "--only", "code")
    said = holdfast("modules").out
    assert said.splitlines()[1].startswith("ui ")
    assert "circles" not in said
    put(world, "setup.go", "package main\nfunc Setup() {}\n")
    put(world, "ui/view0.go", 'package ui\nimport "m"\nfunc Show0() { m.Setup() }\n')
    holdfast("index", "--only", "code")
    assert ". ↔ ui" in holdfast("modules").out


def test_modules_on_a_narrow_screen_have_their_dependencies_below(monkeypatch):
    link = ModuleLink("packages/with/a/long/path/web/types", 1, 1.0)
    modules = tuple(
        CodeModule(f"packages/with/a/long/path/{end}", 1, 9, (), "feature", 0, 0.0, needs, 0, 0, 0.0)
        for end, needs in (("app", (link,)), ("web/types", ()), ("api/types", ()))
    )
    monkeypatch.setenv("COLUMNS", "76")
    lines = modules_text(ModuleMap(modules, ())).splitlines()
    assert lines[2] == "  depends on web/types", "the shortest ending that no other module has"
    assert max(map(len, lines)) <= 76
    monkeypatch.setenv("COLUMNS", "120")
    assert modules_text(ModuleMap(modules, ())).splitlines()[1].endswith("web/types")


def test_a_file_that_cannot_be_read_is_named(holdfast, world: Path):
    put(world, "deep.py", "x = (f" + "\n(1)" * 6_000 + ")\n")
    put(world, "good.py", "def helper(): ...\ndef user(): helper()\n")
    run = holdfast("index", "--only", "code")
    assert run.code == 0
    assert "! deep.py: could not be read: takes too long to read" in run.out
    assert "skipped" not in run.out
    assert "user:2  calls" in holdfast("impact", "good.py:helper").out


@pytest.mark.usefixtures("indexed")
def test_memories_belong_to_the_modules_of_their_files(holdfast):
    holdfast("remember", "Sessions are never shared.", "--file", "app/session.py")
    holdfast("remember", "Invoices are sent by mail.", "--module", "billing")
    assert "app         8     64  feature   1 (12%)" in holdfast("modules").out
    assert "Sessions" in holdfast("list", "--module", "app").out
    assert "Sessions" in holdfast("search", "are sessions shared?", "--module", "app").out
    assert "Sessions" not in holdfast("list", "--module", "tests").out
    assert "Invoices" in holdfast("list", "--module", "billing").out
