"""Recognises scripts that nobody wrote in this project: bundles, build results and copies of libraries.

The name of a folder alone never decides: `vendor/` may be about suppliers, and `dist/` about distances.
"""

from __future__ import annotations

import json
import os
import re

from holdfast.codegraph.code_reasons import CodeGraphCode
from holdfast.system.files import read_file

_SCRIPTS = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts")
_BUNDLED_NAME = re.compile(r"(?:[.-]min|\.bundle|\.chunk|\.umd|\.iife|\.[0-9a-f]{8,32})\.[cm]?js$")
# A short file with such a name configures a bundler.
_SHORTEST_BUNDLE = 5_000
# How the programs begin that webpack, browserify, Parcel and esbuild write.
_BUNDLER = re.compile(
    rb"// webpackBootstrap\b|^/\*{6}/ |^\(function\(\)\{function \w\(\w,\w,\w\)\{function "
    rb"|function e\(t,n,r\)\{function s\("
    rb"|^(?:// modules are defined as an array\b|parcelRequire ?=)"
    rb"|^var __(?:create|defProp|getOwnPropNames|commonJS) = (?:Object\.|\()",
    re.MULTILINE,
)
# Compilers name the map of their result on the last line.
_SOURCE_MAP = re.compile(rb"^(?://|/\*)[#@] sourceMappingURL=\S{1,200}\s*(?:\*/)?\s*\Z", re.MULTILINE)
_HEAD, _TAIL, _MAP_TAIL = 3_000, 1_500, 400
_LARGEST_PACKAGE = 1_000_000

_INSTALLED = frozenset(["bower_components", "jspm_packages"])
_VENDOR = frozenset(["vendor", "vendors", "third_party", "third-party", "thirdparty"])
_VERSION = re.compile(rb"\bv?\d{1,3}\.\d{1,3}\.\d{1,3}\b")
_LICENCE = re.compile(rb"@licen[sc]e|@preserve|copyright|\(c\)|\blicensed\b", re.IGNORECASE)
_UNIVERSAL = re.compile(rb"define\.amd\b|typeof exports ?[!=]==? ?[\"'](?:object|undefined)[\"']")
_VERSION_IN_NAME = re.compile(r"[-.]v?\d{1,3}\.\d{1,3}(?:\.\d{1,3})?(?:[-.][a-z]+)*\.[cm]?js$")
_VERSION_OF_FOLDER = re.compile(r"[a-z][-.]v?\d{1,3}\.\d{1,3}\.\d{1,3}$")
# The ends of names that say which build of a library a file is.
_VARIANTS = frozenset("js umd slim full all core esm amd global dev prod development production".split())


def why_foreign(root: str, path: str, source: bytes) -> CodeGraphCode | None:
    """The reason why a file is no code of this project; None if it seems to be."""
    folders = path.split("/")[:-1]
    if not path.lower().endswith(_SCRIPTS):
        return None
    if _is_bundled(path, source) or _is_built(root, folders):
        return CodeGraphCode.BUNDLED
    return CodeGraphCode.VENDORED if _is_copied(root, path, source) else None


def _is_bundled(path: str, source: bytes) -> bool:
    if _BUNDLED_NAME.search(path) and len(source) >= _SHORTEST_BUNDLE:
        return True
    return bool(_BUNDLER.search(source[:_HEAD]) or _SOURCE_MAP.search(source[-_MAP_TAIL:]))


def _is_built(root: str, folders: list[str]) -> bool:
    """Does the file lie in the folder `dist` of a package?"""
    return any(_has_package(root, "/".join(folders[:at])) for at, name in enumerate(folders) if name == "dist")


def _is_copied(root: str, path: str, source: bytes) -> bool:
    """Is the file a copy of a library, by its place, its name and what it says about itself?"""
    folders = set(path.lower().split("/")[:-1])
    if folders & _INSTALLED:
        return True
    about = _first_comment(source)
    is_universal = bool(_UNIVERSAL.search(source[:_HEAD]) or _UNIVERSAL.search(source[-_TAIL:]))
    if folders & _VENDOR or any(map(_VERSION_OF_FOLDER.search, folders)):
        return is_universal or bool(_VERSION.search(about) or _LICENCE.search(about))
    name = path.rpartition("/")[2].lower()
    if _VERSION_IN_NAME.search(name):
        return bool(_VERSION.search(about) or _LICENCE.search(about))
    # The first comment names the file as a library with its version, and the code runs everywhere, as libraries do.
    library = _library(name)
    said = _letters(about.decode("utf-8", "replace"))
    is_library = len(library) > 1 and library in said and bool(_VERSION.search(about)) and is_universal
    return is_library and library not in _own_names(root, path.rpartition("/")[0])


def _library(name: str) -> str:
    """The letters of a file's name without its ending and its variant: `jquery` of `jquery.slim.js`."""
    parts = name.replace("-", ".").split(".")[:-1]
    while len(parts) > 1 and parts[-1] in _VARIANTS:
        parts.pop()
    return _letters("".join(parts))


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def _first_comment(source: bytes) -> bytes:
    """The comment at the beginning of a file; empty if it begins with code."""
    head = source[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n;")
    if head.startswith(b"/*"):
        return head.partition(b"*/")[0][:1_500]
    lines = iter(head.split(b"\n"))
    return b"\n".join(line for line in lines if line.startswith(b"//")) if head.startswith(b"//") else b""


def _has_package(root: str, folder: str) -> bool:
    return os.path.isfile(os.path.join(root, folder, "package.json"))


def _own_names(root: str, folder: str) -> frozenset[str]:
    """The names of the packages around a folder of the project, and of the project's folder."""
    parts = folder.split("/") if folder else []
    around = ["/".join(parts[:length]) for length in range(len(parts) + 1)]
    packages = (_package_name(os.path.join(root, above, "package.json")) for above in around)
    return frozenset(_library(f"{name.rpartition('/')[2]}.") for name in (os.path.basename(root), *packages))


def _package_name(path: str) -> str:
    try:
        found = json.loads(read_file(path, _LARGEST_PACKAGE))
    except (OSError, ValueError, RecursionError):
        return ""
    name = found.get("name") if isinstance(found, dict) else None
    return name if isinstance(name, str) else ""
