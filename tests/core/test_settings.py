"""Settings: their sources, the order of the sources, and the errors for invalid ones."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import FileNotWritten, InvalidSettings
from holdfast.core.settings import Settings, changed
from holdfast.system.settings_file import read, save


def write(folder: Path, text: str) -> str:
    file = folder / "settings.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_later_wins(tmp_path: Path) -> None:
    file = write(tmp_path, 'per_session = 5\nembedder = "none"\nbusy_seconds = 1.5\n')
    environment = {"HOLDFAST_EMBEDDER": "fake", "HOLDFAST_BUSY_SECONDS": "2.5", "HOLDFAST_OTHER": "x", "HOME": "/h"}
    settings = read(file, environment, {"busy_seconds": 3.5, "db": None})
    assert (settings.per_session, settings.embedder, settings.busy_seconds) == (5, "fake", 3.5)
    assert settings.max_characters == Settings().max_characters


def test_nothing_given_is_the_default(tmp_path: Path) -> None:
    assert read(None, {}) == read(str(tmp_path / "none.toml"), {}) == Settings()


@pytest.mark.parametrize("word", ["1", "true", "YES", "on"])
def test_ways_to_say_yes(word: str) -> None:
    assert read(None, {"HOLDFAST_ALLOW_OLLAMA": word}).allow_ollama


@pytest.mark.parametrize("word", ["0", "false", "No", "off", ""])
def test_ways_to_say_no(word: str) -> None:
    assert not read(None, {"HOLDFAST_BACKGROUND": word}).background


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("busy_seconds", "soon", "must be a number"),
        ("busy_seconds", "nan", "must be a number"),
        ("busy_seconds", "inf", "must be a number"),
        ("busy_seconds", "-1", "must be at least 0"),
        ("per_session", "2.5", "must be a whole number"),
        ("per_session", "", "must be a whole number"),
        ("http_timeout", "0", "must be at least 0.1"),
        ("background", "perhaps", "must be one of: true, false"),
        ("durability", "some", "must be one of: acknowledged, everything"),
        ("language", "tlh", "must be one of: empty, en, fr"),
    ],
)
def test_a_bad_value_is_named_with_its_place(name: str, value: str, said: str) -> None:
    with pytest.raises(InvalidSettings, match=said) as caught:
        read(None, {f"HOLDFAST_{name.upper()}": value})
    assert f"{name} = {value!r} (HOLDFAST_{name.upper()})" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour = 1", "colour .* does not exist"),
        ("per_session = [", "not valid TOML"),
        ("per_session = 2.5", "must be a whole number"),
        ("db = 7", "must be a text"),
        ("[embedder]\nname = 'x'", "must be a text"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str, said: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(InvalidSettings, match=said) as caught:
        read(file, {})
    assert file in str(caught.value)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b'db = "\xff"')
    with pytest.raises(InvalidSettings, match="not valid TOML"):
        read(str(tmp_path / "settings.toml"), {})


def test_save_keeps_every_other_line(tmp_path: Path) -> None:
    file = write(tmp_path, '# mine\nembedder = "none"  # for now\n\nper_session = 5\n')
    assert save(file, "embedder", "fake").embedder == "fake"
    save(file, "busy_seconds", 2)
    assert Path(file).read_text() == '# mine\nembedder = "fake"\n\nper_session = 5\nbusy_seconds = 2.0\n'
    assert list(tmp_path.iterdir()) == [tmp_path / "settings.toml"]


def test_save_makes_the_file_and_refuses_what_cannot_be(tmp_path: Path) -> None:
    file = str(tmp_path / "deep" / "settings.toml")
    save(file, "background", "off")
    assert Path(file).read_text() == "background = false\n"
    for name, value in (("colour", 1), ("per_session", -1)):
        with pytest.raises(InvalidSettings):
            save(file, name, value)
    assert Path(file).read_text() == "background = false\n"
    with pytest.raises(FileNotWritten, match="cannot be written"):
        save(f"{file}/inside", "background", True)


def test_a_link_to_the_settings_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles.toml").write_text("")
    (tmp_path / "settings.toml").symlink_to("dotfiles.toml")
    save(str(tmp_path / "settings.toml"), "background", "off")
    assert (tmp_path / "settings.toml").is_symlink()
    assert (tmp_path / "dotfiles.toml").read_text() == "background = false\n"


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_any_text_is_saved_so_that_it_comes_back(value: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        save(f"{folder}/settings.toml", "db", value)
        assert read(f"{folder}/settings.toml", {}).db == value


@pytest.mark.parametrize("field", fields(Settings), ids=lambda field: field.name)
def test_every_setting_has_help_and_travels_by_environment(field: Any) -> None:
    assert field.metadata["help"].endswith(".")
    other: Any = {bool: not field.default, int: 7, float: 7.5, str: "other"}[type(field.default)]
    other = next((choice for choice in field.metadata["choices"] if choice != field.default), other)
    other = min(other, field.metadata["high"]) if isinstance(other, float) else other
    settings = read(None, {}, {field.name: other})
    assert read(None, changed(settings)) == settings
    assert changed(Settings()) == {}


def test_relative_folders_in_variables_are_ignored() -> None:
    from holdfast.system import platform_folders as paths

    absolute = paths.data_folder({"HOME": "/h"}, "linux")
    assert paths.data_folder({"HOME": "/h", "XDG_DATA_HOME": "here"}, "linux") == absolute
    assert paths.settings_file({"HOME": "/h", "XDG_CONFIG_HOME": "here"}, "linux").startswith("/h/")
    assert paths.data_folder({"HOME": "here"}, "linux").startswith("/")
