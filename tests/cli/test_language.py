"""Every text that people read has a French translation, and there are no unused translations."""

from __future__ import annotations

import ast
import json
import re
import string
from pathlib import Path

import pytest

from holdfast.agents.programs import all_programs
from holdfast.core import errors
from holdfast.core.memory_types import BUILT_IN
from holdfast.interfaces import language
from holdfast.interfaces.cli import command_table as commands
from holdfast.interfaces.cli.error_texts import DETAILS, HINTS, USAGE, text_of_error, text_of_mistake
from holdfast.interfaces.cli.terminal import size
from holdfast.recall.paths import PATHS
from holdfast.recall.weigh.measures import MEASURES

_SOURCE = Path(language.__file__).parents[1]
_TEXTS = {"translate": (0,), "translatable": (0,), "translate_count": (1, 2)}


def sentences() -> set[str]:
    """Literal texts passed to translate, translatable and translate_count, help of options and types, and labels."""
    found: set[str] = set()
    for file in (_SOURCE / "interfaces").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                found |= set(_texts_of(node))
    labels = {labelled.label for labelled in (*PATHS, *MEASURES)}
    notes = {program.note for program in all_programs() if program.note}
    return found | {type.help for type in BUILT_IN} | labels | notes | error_sentences()


def error_sentences() -> set[str]:
    """The first sentence of each class of errors, and its hint."""
    classes = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.HoldfastError)]
    return {f"{one().what}." for one in classes} | {one.hint for one in classes}


def _texts_of(call: ast.Call) -> list[str]:
    name = getattr(call.func, "id", None)
    nodes = [call.args[at] for at in _TEXTS.get(str(name), ()) if at < len(call.args)]
    if name == "option":
        nodes += [keyword.value for keyword in call.keywords if keyword.arg == "help"]
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def french() -> dict[str, str]:
    read: dict[str, str] = json.loads((_SOURCE / "interfaces" / "languages" / "fr.json").read_text("utf-8"))
    return read


def test_every_sentence_has_a_french_translation():
    missing = sorted(sentences() - set(french()))
    assert not missing, f"translate in interfaces/languages/fr.json: {missing}"


def test_no_translation_is_stale():
    unused = sorted(set(french()) - sentences())
    assert not unused, f"remove from interfaces/languages/fr.json: {unused}"


def test_translations_are_sorted():
    assert list(french()) == sorted(french()), "sort the lines of interfaces/languages/fr.json"


def test_the_command_table_is_among_the_sentences():
    assert {help for _, help, _ in commands.COMMANDS} | {title for _, title in commands.GROUPS} <= sentences()


def test_translations_name_the_same_values():
    def values(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    assert {key: said for key, said in french().items() if values(key) != values(said)} == {}


def test_french_is_written_with_its_own_apostrophe_and_spaces():
    assert [said for said in french().values() if re.search(r"['\"]| [:;!?]", said)] == []


@pytest.mark.parametrize(
    ("asked", "environment", "chosen"),
    [
        ("fr", {"LANG": "en_GB.UTF-8"}, "fr"),
        (None, {"HOLDFAST_LANGUAGE": "fr", "LC_ALL": "en_GB"}, "fr"),
        (None, {"LANG": "fr_FR.UTF-8"}, "fr"),
        (None, {"LC_ALL": "C", "LANG": "fr_FR.UTF-8"}, "en"),
        (None, {"LC_MESSAGES": "fr_CA", "LANG": "de_DE"}, "fr"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        (None, {}, "en"),
    ],
)
def test_who_decides_the_language(asked, environment, chosen, tmp_path):
    try:
        assert language.choose(asked, {"HOME": str(tmp_path), **environment}) == chosen
    finally:
        language.choose("en", {})


def test_the_settings_file_decides_before_the_locale(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text('embedder = "none"\nlanguage = "fr"  # la mienne\n', "utf-8")
    try:
        assert language.choose(None, {"HOLDFAST_SETTINGS": str(file), "LANG": "en_GB"}) == "fr"
        assert language.translate("No problems found.") != "No problems found."
    finally:
        language.choose("en", {})


def test_french_counts_zero_as_one():
    try:
        language.choose("fr", {})
        assert language.translate_count(0, "{n} memory", "{n} memories") == "0 souvenir"
        assert language.translate_count(2, "{n} memory", "{n} memories") == "2 souvenirs"
    finally:
        language.choose("en", {})


def raised() -> set[str]:
    """The texts of errors in the source, with {} for each value."""
    found: set[str] = set()
    for file in _SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                found.add("".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values))
    return found


@pytest.mark.integration
def test_translated_errors_are_raised_with_these_words():
    known = raised()
    templates = {template: re.sub(r"\{\w+\}", "{}", template) for template in (*DETAILS, *HINTS)}
    assert [template for template, bare in templates.items() if bare not in known] == []


@pytest.fixture
def in_french():
    language.choose("fr", {})
    yield
    language.choose("en", {})


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            errors.NotFound("memory 'abc' in this project"),
            "Introuvable : souvenir 'abc' dans ce projet. `holdfast list` montre les souvenirs enregistrés.",
        ),
        (
            errors.InvalidInput("job 'x'", hint="Use one of: a, b."),
            "La saisie n’est pas valable : tâche 'x'. Valeurs possibles : a, b.",
        ),
        (
            errors.UnknownType("'requirment'", hint="Did you mean 'requirement'? Use one of: a, b."),
            "Ce type de souvenir n’existe pas : 'requirment'. Vouliez-vous dire 'requirement' ? "
            "Valeurs possibles : a, b.",
        ),
        (errors.StoreFull(), "Le disque est plein ; rien n’a été modifié. Libérez de l’espace et recommencez."),
        (
            errors.FileNotWritten("/tmp/out.json (full)"),
            "Le fichier ne peut pas être écrit : /tmp/out.json (full). "
            "Vérifiez son dossier, ses droits et l’espace libre.",
        ),
    ],
)
def test_errors_are_french(in_french, error, said):
    assert text_of_error(error).replace("\xa0", " ") == said


def test_an_error_with_an_unknown_part_is_english_as_a_whole(in_french):
    for error in (
        errors.InvalidFile("the graph is not planar at all"),
        errors.NotFound("memory 'abc' in this project", hint="Read the stars."),
    ):
        assert text_of_error(error) == str(error)


def test_mistakes_on_the_command_line_are_french(in_french):
    said = text_of_mistake("Invalid value for '--limit': '0' is not a whole number from 1 to 9.")
    assert said.replace("\xa0", " ") == "Valeur incorrecte pour '--limit' : '0' n’est pas un nombre entier de 1 à 9."
    assert text_of_mistake("The moon is full.") == "The moon is full."
    assert len(USAGE) == len(set(USAGE))


@pytest.mark.parametrize("chosen", language.LANGUAGES)
def test_the_list_of_commands_fits_on_a_narrow_terminal(chosen):
    language.choose(chosen, {})
    try:
        assert [line for line in commands.root_help().splitlines() if len(line) > 80] == []
    finally:
        language.choose("en", {})


@pytest.mark.parametrize(
    ("named", "expected"),
    [("en", ["1,062.5", "6.6 MB", "1,062 passages"]), ("fr", ["1\u202f062,5", "6,6 Mo", "1\u202f062 passages"])],
)
def test_numbers_are_written_as_in_the_language(named, expected):
    language.choose(named, {})
    try:
        counted = language.translate_count(1_062, "{n} passage", "{n} passages")
        assert [language.number(1_062.5, 1), size(6_600_000), counted] == expected
    finally:
        language.choose("en", {})
