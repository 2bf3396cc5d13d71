"""The glossary lists every public class of the packages of values, and no class that does not exist."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import holdfast.agents
import holdfast.core
import holdfast.system

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"


def classes_of(*packages: ModuleType) -> set[str]:
    names = [f"{package.__name__}.{m.name}" for package in packages for m in pkgutil.iter_modules(package.__path__)]
    modules = [importlib.import_module(name) for name in names]
    return {
        name
        for module in modules
        for name, member in vars(module).items()
        if inspect.isclass(member) and member.__module__ == module.__name__ and name[0].isupper()
    }


def listed() -> list[str]:
    return re.findall(r"`([A-Z][A-Za-z]+)`", GLOSSARY.read_text(encoding="utf-8"))


def test_every_core_class_is_in_the_glossary():
    missing = sorted(classes_of(holdfast.core) - set(listed()))
    assert not missing, f"add a line for {missing} to docs/glossary.md"


def test_every_class_in_the_glossary_exists():
    unknown = sorted(set(listed()) - classes_of(holdfast.core, holdfast.system, holdfast.agents))
    assert not unknown, f"{unknown} in docs/glossary.md are not classes of holdfast.core, system or agents"


def test_no_class_is_listed_twice():
    names = listed()
    assert len(names) == len(set(names))


def test_terms_are_unique():
    terms = re.findall(r"^\| \*\*(.+?)\*\*", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(terms) == len(set(terms)) > 50
