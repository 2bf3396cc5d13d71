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


def translate(sentence: str, **values: object) -> str:
    """Returns the sentence in the chosen language with its values filled in; in English if it has no translation."""
    text = _sentences.get(sentence, sentence)
    return text.format(**values) if values else text


def translate_count(number: int, singular: str, plural: str) -> str:
    """Returns the singular or the plural with {n} filled in, by the rules of the language: 0 hits, but 0 résultat."""
    is_singular = number in (0, 1) if _spoken == "fr" else number == 1
    return translate(singular if is_singular else plural, n=number)


def translatable(sentence: str) -> str:
    """Marks a sentence in a table that is translated later."""
    return sentence


to_say = translatable  # The former name; remove it once no module of `messages` uses it.


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
