"""Says why a name is not in the code index, and what to do: the hints of NotFound."""

from __future__ import annotations

import os
from collections.abc import Collection

from holdfast.codegraph.code_reasons import CodeGraphCode
from holdfast.codegraph.languages.language_registry import language_name

NOTHING_INDEXED = "No code of this project is indexed yet; run `holdfast index`."
OUTSIDE = "It is outside the project."
EMPTY_FOLDER = "The folder exists, but none of its files is in the code index."
_LANGUAGE = "The file exists, but its language has no code graph; `holdfast search` finds its text."
_IGNORED = "The file exists, but the code index leaves it out: git or the setting index_ignore ignores it."
_GENERATED = "The file exists, but the code index leaves it out: it is generated, bundled or minified."
_COPY = "The file exists, but the code index leaves it out: it is a copy of a library."
_TOO_LARGE = "The file exists, but the code index leaves it out: it is too large or takes too long to read."
_FAILED = "The file exists, but Holdfast failed to read it; `holdfast index` names the file."
_UNREADABLE = "The file exists, but the code index leaves it out: it is a link or no readable text."
_HINTS = {
    CodeGraphCode.BUNDLED: _GENERATED,
    CodeGraphCode.FAILED: _FAILED,
    CodeGraphCode.GENERATED: _GENERATED,
    CodeGraphCode.MINIFIED: _GENERATED,
    CodeGraphCode.VENDORED: _COPY,
    CodeGraphCode.TOO_COMPLEX: _TOO_LARGE,
    CodeGraphCode.TOO_LARGE: _TOO_LARGE,
}


def why_left_out(path: str, skipped: Collection[str]) -> str:
    """The hint for a file that is not in the index after it was looked for; `skipped` are the codes of that run."""
    if language_name(path) is None:
        return _LANGUAGE
    found = [hint for code, hint in _HINTS.items() if code in skipped]
    return found[0] if found else _UNREADABLE if skipped else _IGNORED


def in_project(root: str, name: str) -> str | None:
    """A name as it is in the index: an absolute path becomes relative to the project; None if it is outside."""
    if not os.path.isabs(name):
        return name
    inside = os.path.relpath(name, root).replace(os.sep, "/")
    return None if inside == ".." or inside.startswith("../") else inside
