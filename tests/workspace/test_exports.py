"""The names that `holdfast` exports: complete, found by `dir`, imported only when they are used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import holdfast
from holdfast.core import errors

_SOURCE = Path(holdfast.__file__).parent
_NOT_EXPORTED = {"Any", "Callable", "Embedder", "Iterable", "Iterator", "Mapping", "None", "Self", "Sequence"}


def test_every_exported_name_can_be_imported():
    for name in holdfast.__all__:
        assert getattr(holdfast, name) is not None
    assert set(holdfast.__all__) == {name for names in holdfast._HOMES.values() for name in names} | {"__version__"}


def test_dir_lists_the_exports():
    assert dir(holdfast) == sorted(holdfast.__all__)


def test_every_error_is_exported():
    found = {
        name for name, value in vars(errors).items() if isinstance(value, type) and value.__module__ == errors.__name__
    }
    assert found - set(holdfast.__all__) == set()


def test_every_type_that_a_verb_returns_is_exported():
    trees = [ast.parse(path.read_text("utf-8")) for path in (_SOURCE / "workspace").glob("*.py")]
    classes = [node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    methods = [node for each in classes for node in each.body if isinstance(node, ast.FunctionDef)]
    verbs = [method for method in methods if not method.name.startswith("_")]
    assert len(verbs) > 50
    returned = {
        node.id for verb in verbs if verb.returns for node in ast.walk(verb.returns) if isinstance(node, ast.Name)
    }
    types = {name for name in returned if name[0].isupper()}
    missing = sorted(types - set(holdfast.__all__) - _NOT_EXPORTED)
    assert not missing, f"export {missing} in holdfast/__init__.py: the import for type checkers, __all__ and _HOMES"


@pytest.mark.integration
def test_importing_the_package_imports_almost_nothing():
    code = "import sys, holdfast; print(*(m for m in sys.modules if m.startswith('holdfast')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert sorted(loaded.split()) == ["holdfast", "holdfast.version"]
