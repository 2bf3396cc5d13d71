"""Imports of TypeScript and JavaScript files lead to files of the project."""

from __future__ import annotations

import pytest

from tests.codegraph.typescript_projects import Project

HULL = "export const hull = () => 1\n"


def resolve(**files: str) -> Project:
    return Project({path.replace("__", "/"): text for path, text in files.items()})


def imports(files: dict[str, str], path: str = "app/main.ts") -> set[str]:
    return Project(files).edges(path, "imports")


@pytest.mark.parametrize(
    ("specifier", "file"),
    [
        ("./boat", "app/boat.ts"),
        ("./boat.js", "app/boat.ts"),
        ("./boat", "app/boat.tsx"),
        ("./boat", "app/boat/index.ts"),
        ("./boat", "app/boat.d.ts"),
        ("../lib/boat.mjs", "lib/boat.mts"),
        ("./boat.js", "app/boat.js"),
        ("..", "index.ts"),
        ("./boat?raw", "app/boat.ts"),
    ],
)
def test_relative_imports(specifier: str, file: str) -> None:
    files = {"app/main.ts": f"import {{ hull }} from '{specifier}'\n", file: HULL}
    assert imports(files) == {f"{file}#", f"{file}#hull"}


def test_paths_of_tsconfig_with_comments_and_extends() -> None:
    files = {
        "app/main.ts": "import { hull } from '@fleet/boat'\nimport { mast } from 'rig/mast'\n",
        "app/tsconfig.json": '{ "extends": "../base" }',
        "base.json": """{
            // the folders of packages
            "compilerOptions": { "baseUrl": ".", "paths": { "@fleet/*": ["packages/*/src"], }, /* all */ },
        }""",
        "packages/boat/src/index.ts": HULL,
        "rig/mast.ts": "export const mast = 1\n",
    }
    assert imports(files) == {
        "packages/boat/src/index.ts#",
        "packages/boat/src/index.ts#hull",
        "rig/mast.ts#",
        "rig/mast.ts#mast",
    }


def test_packages_of_the_workspace() -> None:
    files = {
        "app/main.ts": "import { hull } from '@fleet/boat'\nimport { mast } from '@fleet/boat/rig'\nimport 'zod'\n",
        "packages/boat/package.json": """{ "name": "@fleet/boat", "exports": {
            ".": { "types": "./dist/index.d.ts", "import": "./dist/index.js" }, "./*": "./dist/*.js" } }""",
        "packages/boat/src/index.ts": HULL,
        "packages/boat/src/rig.ts": "export const mast = 1\n",
    }
    project = Project(files)
    assert {edge for edge in project.edges("app/main.ts", "imports") if edge.endswith("#")} == {
        "packages/boat/src/index.ts#",
        "packages/boat/src/rig.ts#",
    }
    (external,) = project.resolution("app/main.ts").unresolved
    assert (external.expression, external.why) == ("zod", "external")


def test_names_that_begin_with_a_hash() -> None:
    files = {
        "app/main.ts": "import { hull } from '#boat'\n",
        "package.json": '{ "imports": { "#boat": "./lib/boat.js" } }',
        "lib/boat.ts": HULL,
    }
    assert "lib/boat.ts#hull" in imports(files)


def test_re_exports_are_followed_through_barrels() -> None:
    files = {
        "app/main.ts": "import { ship, keel, all, Boat } from '../lib'\nship(); all.hull(); new Boat()\n",
        "lib/index.ts": "export * from './more'\n"
        "export { hull as ship } from './boat'\nexport * as all from './boat'\n",
        "lib/more.ts": "export { default as Boat, keel } from './boat'\n",
        "lib/boat.ts": HULL + "export const keel = 1\nexport default class Boat {}\n",
    }
    project = Project(files)
    assert project.edges("app/main.ts", "imports") == {
        "lib/index.ts#",
        "lib/boat.ts#hull",
        "lib/boat.ts#keel",
        "lib/boat.ts#Boat",
        "lib/boat.ts#",
    }
    assert project.calls("app/main.ts") == {2: {"lib/boat.ts#hull", "lib/boat.ts#Boat"}}
    assert project.edges("lib/index.ts", "exports") >= {"lib/more.ts#", "lib/boat.ts#hull"}


def test_default_exports() -> None:
    files = {
        "app/main.ts": "import sail from './boat'\nimport options from './options'\nsail(); options.start()\n",
        "app/boat.ts": HULL + "export default function () {}\n",
        "app/options.ts": "export default { start() {} }\n",
    }
    calls = Project(files).calls("app/main.ts")
    assert calls[3] == {"app/boat.ts#<arrow:2:15>", "app/options.ts#<object:1:15>.start"}


def test_common_js() -> None:
    files = {
        "app/main.js": "const { hull } = require('./boat')\nconst boat = require('./boat')\nhull(); boat.sail()\n"
        "const Keel = require('./keel')\nnew Keel()\n",
        "app/boat.js": "function hull() {}\nexports.sail = () => 1\nmodule.exports.hull = hull\n",
        "app/keel.js": "class Keel {}\nmodule.exports = Keel\n",
    }
    project = Project(files)
    assert project.edges("app/main.js", "imports") == {"app/boat.js#", "app/keel.js#"}
    calls = project.calls("app/main.js")
    assert "app/boat.js#hull" in calls[3]
    assert "app/keel.js#Keel" in calls[5]


def test_dynamic_and_type_only_imports() -> None:
    files = {
        "app/main.ts": "import type { Boat } from './boat'\nasync (b: Boat) => (await import('./lazy')).run()\n",
        "app/boat.ts": "export interface Boat {}\n",
        "app/lazy.ts": "export function run() {}\n",
    }
    project = Project(files)
    assert project.edges("app/main.ts", "imports") == {"app/boat.ts#", "app/boat.ts#Boat", "app/lazy.ts#"}
    assert project.calls("app/main.ts") == {2: {"app/lazy.ts#run"}}


def test_a_missing_file_is_recorded_and_not_guessed() -> None:
    project = resolve(**{"main.ts": "import { hull } from './boat'\nhull()\n", "other__boat.ts": HULL})
    assert project.resolution("main.ts").sites == ()
    assert [(one.expression, one.why) for one in project.resolution("main.ts").unresolved] == [
        ("./boat", "missing"),
        ("hull", "unknown"),
    ]
    assert {"boat", "boat/index"} <= set(project.resolution("main.ts").lookups)


@pytest.mark.parametrize(
    "files",
    [
        {"tsconfig.json": "{ not json"},
        {"tsconfig.json": "[]"},
        {"tsconfig.json": '{ "extends": "./tsconfig.json" }'},
        {
            "tsconfig.json": '{ "extends": ["./a", "./b"] }',
            "a.json": '{ "extends": "./b" }',
            "b.json": '{ "extends": "./a" }',
        },
        {"tsconfig.json": '{ "compilerOptions": { "paths": { "*": "x", "a*": [1, "../../up/*"] }, "baseUrl": 3 } }'},
        {"tsconfig.json": '{ "references": [{ "path": "." }, 3, { "path": 4 }] }'},
        {"package.json": '{ "name": 3, "exports": [[[["x"]]]] }'},
        {"package.json": "[" * 100_000},
        {"tsconfig.json": '{"a":' * 100_000},
        {"package.json": '{ "name": "boat", "exports": { "*": { "./*": "*" } } }'},
    ],
)
def test_malformed_configuration_is_ignored(files: dict[str, str]) -> None:
    code = {
        "main.ts": "import { hull } from './boat'\nimport b from 'boat/x'\nimport c from '../../up'\n",
        "boat.ts": HULL,
    }
    assert imports({**code, **files}, "main.ts") == {"boat.ts#", "boat.ts#hull"}


def test_re_exports_in_a_circle_end() -> None:
    project = resolve(
        **{
            "main.ts": "import { hull, nothing } from './a'\nhull()\nnothing()\n",
            "a.ts": "export * from './b'\nexport { nothing } from './b'\n",
            "b.ts": "export * from './a'\nexport * from './boat'\nexport { nothing } from './a'\n",
            "boat.ts": HULL,
        }
    )
    assert project.calls("main.ts") == {2: {"boat.ts#hull"}}
