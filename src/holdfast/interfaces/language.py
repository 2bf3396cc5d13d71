"""What people read, in their language: the English sentence is the key, `languages/` holds the others."""

from __future__ import annotations

import os

from holdfast.core.paths import settings_file

# Why not from typing: `holdfast --help` says its sentences through this module and must answer at once.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES = ("en", "fr")

_FOLDER = os.path.join(os.path.dirname(__file__), "languages")
_spoken = "en"
_sentences: dict[str, str] = {}


def choose(asked: str | None, environment: Mapping[str, str]) -> str:
    """Settles the language for this process: as asked, else by the setting `language`, else by the locale."""
    global _spoken, _sentences  # noqa: PLW0603 - one language a process, chosen once before anything is said
    wishes = (asked, environment.get("HOLDFAST_LANGUAGE"), _in_settings(environment), _in_locale(environment))
    _spoken = next((wish for wish in wishes if wish in LANGUAGES), "en")
    _sentences = {} if _spoken == "en" else _read(_spoken)
    return _spoken


def say(sentence: str, **values: object) -> str:
    """The sentence in the chosen language, with its values; in English where nobody translated it yet."""
    said = _sentences.get(sentence, sentence)
    return said.format(**values) if values else said


def say_count(number: int, one: str, many: str) -> str:
    """`one` or `many` as the language counts, with {n}: English says 0 hits, French 0 résultat."""
    alone = number in (0, 1) if _spoken == "fr" else number == 1
    return say(one if alone else many, n=number)


def to_say(sentence: str) -> str:
    """Marks a sentence that stands in a table and is said later."""
    return sentence


def _in_settings(environment: Mapping[str, str]) -> str | None:
    """The setting `language` of the user's file. What is wrong with the file, opening the workspace will say."""
    try:
        with open(settings_file(environment), encoding="utf-8", errors="replace") as opened:
            pairs = (line.partition("=") for line in opened)
            values = [value for name, _, value in pairs if name.strip() == "language"]
    except OSError:
        return None
    return values[-1].partition("#")[0].strip().strip("\"'") if values else None


def _in_locale(environment: Mapping[str, str]) -> str | None:
    named = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next((locale[:2].lower() for locale in named if locale), None)


def _read(language: str) -> dict[str, str]:
    import json

    with open(os.path.join(_FOLDER, f"{language}.json"), encoding="utf-8") as opened:
        sentences: dict[str, str] = json.load(opened)
    return sentences
