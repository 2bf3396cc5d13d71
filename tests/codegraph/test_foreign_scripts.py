"""Scripts that nobody wrote in the project are skipped; those that only look like them are kept."""

from __future__ import annotations

import os

import pytest

from holdfast.codegraph.code_reasons import CodeGraphCode
from holdfast.codegraph.foreign_scripts import why_foreign

BUNDLED, VENDORED = CodeGraphCode.BUNDLED, CodeGraphCode.VENDORED
JQUERY = b"/*!\n * jQuery JavaScript Library v3.7.1\n */\n( function( global ) {\n"
REEF = (
    b"/**\n * reef v2.0.6\n */\n"
    b"(function (root, make) { if (typeof define === 'function' && define.amd) define(make) })"
)
CODE = b"export function dive(depth) { return depth + 1 }\n"


@pytest.mark.parametrize(
    ("path", "source", "why"),
    [
        ("static/app.bundle.js", CODE * 200, BUNDLED),
        ("static/main.8f3a2c1b.js", CODE * 200, BUNDLED),
        ("static/app.js", b"/******/ (() => { // webpackBootstrap\n", BUNDLED),
        ("static/app.js", b"(function(){function r(e,n,t){function o(i,f){", BUNDLED),
        ("lib/index.cjs", b"var __create = Object.create;\n" + CODE, BUNDLED),
        ("lib/index.js", CODE + b"//# sourceMappingURL=index.js.map\n", BUNDLED),
        ("dist/index.js", CODE, BUNDLED),
        ("packages/hull/dist/deep/index.d.ts", CODE, BUNDLED),
        ("bower_components/hull/hull.js", CODE, VENDORED),
        ("js/vendor/jquery.js", JQUERY, VENDORED),
        ("js/vendor/plugin.js", b"if (typeof exports === 'object') {}", VENDORED),
        ("js/jquery-3.7.1.js", JQUERY, VENDORED),
        ("js/plugins/codemirror-5.17.0/mode/go.js", b"// Distributed under MIT. Copyright (c) them\n", VENDORED),
        ("js/reef.js", REEF, VENDORED),
    ],
)
def test_foreign_scripts_are_recognised(tmp_path, path, source, why):
    for folder in (tmp_path, tmp_path / "packages" / "hull"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"name": "@boats/hull"}')
    assert why_foreign(str(tmp_path), path, source) is why


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("src/vendor/list.ts", CODE),  # about suppliers
        ("src/dist/metres.js", CODE),  # about distances
        ("js/rollup.bundle.js", CODE),  # configures a bundler
        ("src/alert.js", b"/* Boats v5.3.3: alert.js, licensed under MIT */\n" + CODE),
        ("src/runtime.js", b"const end = '//# sourceMappingURL=' + name\n" + CODE),
        ("migrations/add-1.2.js", CODE),
        ("src/jquery.js", CODE),
        ("vendor/tool.py", b"# Copyright (c) them, v1.2.3\n"),
        ("src/index.ts", b""),
    ],
)
def test_ordinary_files_are_kept(tmp_path, path, source):
    assert why_foreign(str(tmp_path), path, source) is None


def test_a_folder_deeper_than_any_recursion_is_read(tmp_path):
    assert why_foreign(str(tmp_path), "a/" * 1_500 + "reef.js", REEF) is VENDORED


def test_a_package_that_is_a_pipe_blocks_nothing(tmp_path):
    os.mkfifo(tmp_path / "package.json")
    assert why_foreign(str(tmp_path), "reef.js", REEF) is VENDORED


def test_a_library_is_not_a_copy_in_its_own_project(tmp_path):
    (tmp_path / "package.json").write_text('{"name": "@ocean/reef.js"}')
    assert why_foreign(str(tmp_path), "src/reef.js", REEF) is None
    (tmp_path / "package.json").write_text("[1")
    assert why_foreign(str(tmp_path), "src/reef.js", REEF) is VENDORED
