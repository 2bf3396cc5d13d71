"""Every reason code has one message, in English and in French, and gets the values that its message names."""

from __future__ import annotations

import ast
import json
import pkgutil
import string
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import holdfast
from holdfast.core.reason import Code
from holdfast.interfaces import messages

_SOURCE = Path(holdfast.__file__).parent
_FRENCH = json.loads((_SOURCE / "interfaces" / "languages" / "fr.json").read_text("utf-8"))


def codes() -> list[Code]:
    """All members of all subclasses of Code in the package."""
    for module in pkgutil.walk_packages([str(_SOURCE)], "holdfast."):
        # Adapters need the libraries that they adapt to, and have no codes.
        if not module.name.endswith("__main__") and not module.name.startswith("holdfast.adapters."):
            import_module(module.name)
    return [code for kind in _subclasses(Code) if kind.__module__.startswith("holdfast.") for code in kind]


def _subclasses(kind: type[Code]) -> Iterator[type[Code]]:
    for subclass in kind.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


def tables() -> dict[str, dict[str, str]]:
    """The message table of each package."""
    names = [module.name.removesuffix("_messages") for module in pkgutil.iter_modules(messages.__path__)]
    return {name: dict(messages.messages(name)) for name in names}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def reasons_built() -> Iterator[tuple[str, set[str] | None]]:
    """Each `Reason.of(SomeCode.NAME, …)` in the source: `SomeCode.NAME` and its value names, None if not all known."""
    texts = (file.read_text("utf-8") for file in _SOURCE.rglob("*.py"))
    for text in (text for text in texts if "Reason.of(" in text):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Reason.of" and node.args:
                names = [keyword.arg for keyword in node.keywords]
                yield ast.unparse(node.args[0]), None if None in names else {name for name in names if name}


def test_every_code_has_exactly_one_message_in_the_table_of_its_package():
    expected = {code: [str(code).partition(".")[0]] for code in codes()}
    found = {code: [name for name, table in tables().items() if code in table] for code in expected}
    assert found == expected


def test_no_two_codes_have_the_same_text():
    assert [code for code, times in Counter(map(str, codes())).items() if times > 1] == []


def test_no_message_is_without_its_code():
    known = set(codes())
    assert [code for table in tables().values() for code in table if code not in known] == []


def test_every_code_is_used():
    text = "\n".join(file.read_text("utf-8") for file in _SOURCE.rglob("*.py") if "messages" not in file.parent.name)
    assert [code for code in codes() if f"{type(code).__name__}.{code.name}" not in text] == []


def test_every_message_has_a_french_translation_with_the_same_placeholders():
    texts = [text for table in tables().values() for text in table.values()]
    assert [text for text in texts if text not in _FRENCH] == []
    assert [text for text in texts if placeholders(text) != placeholders(_FRENCH[text])] == []


def test_a_reason_carries_the_values_that_its_message_names():
    templates = {f"{type(code).__name__}.{code.name}": tables()[code.partition(".")[0]][code] for code in codes()}
    lacking = {
        code: placeholders(templates[code]) - names
        for code, names in reasons_built()
        if names is not None and code in templates and placeholders(templates[code]) - names
    }
    assert lacking == {}
