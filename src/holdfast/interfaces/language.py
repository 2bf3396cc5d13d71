"""Translates the texts that people read. The English text is the key; `languages/` holds the translations."""

from __future__ import annotations

import os

from holdfast.system.platform_folders import settings_file

# Not imported from typing: `holdfast --help` uses this module and must start fast.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES = ("en", "fr")

_FOLDER = os.path.join(os.path.dirname(__file__), "languages")
_FRENCH_NUMBER = {ord(","): "\u202f", ord("."): ","}  # 1,062.5 is 1 062,5 with a narrow no-break space.
_language = "en"
_sentences: dict[str, str] = {}


def choose(requested: str | None, environment: Mapping[str, str]) -> str:
    """Sets the language of this process: as requested, else by the setting `language`, else by the locale."""
    global _language, _sentences  # noqa: PLW0603 - one language per process, chosen before any output
    candidates = (requested, environment.get("HOLDFAST_LANGUAGE"), _in_settings(environment), _in_locale(environment))
    _language = next((candidate for candidate in candidates if candidate in LANGUAGES), "en")
    _sentences = {} if _language == "en" else _read(_language)
    return _language


def chosen() -> str:
    """Returns the language of this process."""
    return _language


def translate(sentence: str, **values: object) -> str:
    """Returns the sentence in the chosen language with its values filled in; in English if it has no translation."""
    text = _sentences.get(sentence, sentence)
    return text.format(**values) if values else text


def translate_count(count: int, singular: str, plural: str) -> str:
    """Returns the singular or the plural with {n} filled in. Zero is plural in English and singular in French."""
    is_singular = count in (0, 1) if _language == "fr" else count == 1
    return translate(singular if is_singular else plural, n=number(count))


def number(value: float, decimals: int = 0) -> str:
    """Returns a number as it is written in the chosen language."""
    text = f"{value:,.{decimals}f}"
    return text.translate(_FRENCH_NUMBER) if _language == "fr" else text


def translatable(sentence: str) -> str:
    """Marks a sentence in a table that is translated later."""
    return sentence


def _in_settings(environment: Mapping[str, str]) -> str | None:
    """Reads `language` from the user's settings file; opening the workspace reports problems with that file."""
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
