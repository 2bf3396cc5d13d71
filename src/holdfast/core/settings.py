"""Every setting as one frozen value: a default and a line of help each, read once, in the workspace.

Later wins: default, then the user's settings file, then `HOLDFAST_…` in the environment, then arguments.
A project's own folder is never read for settings: a cloned repository must not choose where memory goes.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from holdfast.core.errors import InvalidSettings


def _setting(default: Any, help: str, choices: tuple[str, ...] = (), low: float | None = None) -> Any:
    return field(default=default, metadata={"help": help, "choices": choices, "low": low})


@dataclass(frozen=True, slots=True)
class Settings:
    """How this Holdfast behaves."""

    db: str = _setting("", "Database file. Empty: holdfast.db in the user's data folder.")
    project: str = _setting("", "Project id or folder. Empty: the project of the working directory.")
    identity: str = _setting(
        "git",
        "What makes two folders one project: git (worktrees and clones share) or folder.",
        ("git", "folder"),
    )
    durability: str = _setting(
        "acknowledged",
        "What survives a power cut: acknowledged (all you were told is remembered) or everything (streams too).",
        ("acknowledged", "everything"),
    )
    busy_seconds: float = _setting(30.0, "How long a writer waits for its turn before it gives up.", low=0)
    background: bool = _setting(True, "Let a low-priority process of its own embed what waits.")
    language: str = _setting(
        "", "Language of what people read: en or fr. Empty: from the environment.", ("", "en", "fr")
    )
    methodology: str = _setting(
        "native", "Whose names of phases are understood: native, tdd, bmad, or one that a plug-in registers."
    )
    max_characters: int = _setting(20_000, "Longest memory; longer text is a document.", low=1)
    max_episode_characters: int = _setting(1_000_000, "Longest message kept as an episode.", low=1)
    near_duplicate: float = _setting(0.75, "Word overlap (Jaccard) from which two texts say the same.", low=0)
    abstain_below: float = _setting(0.12, "Recall leaves out what answers less likely than this, 0 to 1.", low=0)
    per_session: int = _setting(3, "At most so many episodes of one session in an answer; 0: no cap.", low=0)
    per_document: int = _setting(
        3, "At most so many pieces of one document when documents alone are searched; 0: no cap.", low=0
    )
    index_preset: str = _setting(
        "any", "Which files are documents, and their labels: any, or cyberk-flow for that layout."
    )
    index_roots: str = _setting(
        "",
        "Folders to index instead of the preset's, with commas between: docs, notes=note, runbooks=guide:procedural.",
    )
    index_ignore: str = _setting(
        "", "Patterns of files not to index, as in a .gitignore, with commas between; beside the project's own."
    )
    index_max_bytes: int = _setting(10_000_000, "A longer file is reported and not indexed; 0: no limit.", low=0)
    entities: str = _setting(
        "accurate",
        "How names are found: fast (by form, as a memory comes in), accurate (and read again at night) or none.",
        ("accurate", "fast", "none"),
    )
    embedder: str = _setting(
        "auto",
        "auto, bundled, none, fake, a model folder or pulled model name, ollama:MODEL, or http (see embed_url).",
    )
    embed_when: str = _setting(
        "later", "later: vectors follow in the background. now: remember waits for its vector.", ("later", "now")
    )
    allow_ollama: bool = _setting(False, "Let auto choose a model of an Ollama running on this machine.")
    ollama_url: str = _setting("http://127.0.0.1:11434", "Where Ollama listens.")
    embed_url: str = _setting("", "Base URL of an OpenAI-compatible embeddings endpoint, up to and including /v1.")
    embed_model: str = _setting("", "Model name to ask that endpoint for.")
    embed_key: str = _setting("", "Key for that endpoint. Never taken from other programs' variables.")
    embed_dimensions: int = _setting(0, "Dimensions to ask that endpoint for; 0: its own default.", low=0)
    rerank_url: str = _setting(
        "", "URL of a Cohere-style /rerank endpoint that judges the best hits again. Empty: none."
    )
    rerank_model: str = _setting("", "Model name to ask the rerank endpoint for.")
    rerank_key: str = _setting("", "Key for the rerank endpoint.")
    llm_url: str = _setting(
        "",
        "Base URL of an OpenAI-compatible chat endpoint, up to and including /v1. Asked to learn from sessions, and"
        " when a search finds little.",
    )
    llm_model: str = _setting("", "Model name to ask the chat endpoint for.")
    llm_key: str = _setting("", "Key for the chat endpoint.")
    llm_daily_calls: int = _setting(200, "So often the chat endpoint is asked in a day (UTC), then no more.", low=0)
    llm_daily_tokens: int = _setting(400_000, "So many tokens may go to and from it in a day, then no more.", low=0)
    memory_window: int = _setting(50, "More messages of a session than this do not go into a prompt.", low=2)
    memory_files: bool = _setting(
        True, "Keep MEMORY.md, HISTORY.md and the sessions as files in .holdfast/memory of the project."
    )
    memory_keep: int = _setting(25, "So many of them stay when the older ones are consolidated and trimmed.", low=1)
    schedule: str = _setting(
        "enrich 02:00, evict 04:00, tidy 04:30, reflect sun 03:00",
        "At what hour of the day, or of one day of the week, a nightly job has its turn.",
    )
    idle_minutes: float = _setting(30.0, "A session silent for so long is consolidated.", low=0)
    http_timeout: float = _setting(30.0, "Seconds before a model endpoint is given up.", low=0.1)
    http_retries: int = _setting(2, "How often a failed call to a model endpoint is tried again.", low=0)
    hub_url: str = _setting("https://huggingface.co", "Where `holdfast models pull` finds models by name.")
    models_folder: str = _setting("", "Where pulled models are kept. Empty: models in the user's data folder.")
    embed_threads: int = _setting(0, "Threads of the local embedder; 0: half of the cores.", low=0)


def read(file: str | None, environment: Mapping[str, str], arguments: Mapping[str, Any] | None = None) -> Settings:
    """The settings of a file, an environment and arguments, in that order. A missing file is no error."""
    settings = Settings()
    for origin, values in (
        (file or "", _from_file(file)),
        ("the environment", _from_environment(environment)),
        ("arguments", {k: v for k, v in (arguments or {}).items() if v is not None}),
    ):
        settings = _apply(settings, values, origin)
    return settings


def save(file: str, name: str, value: Any) -> Settings:
    """Writes one setting into the user's file, atomically; every other line stays as it is."""
    checked = _apply(read(file, {}), {name: value}, "arguments")
    lines = _lines(file)
    written = f"{name} = {_toml(getattr(checked, name))}"
    place = next((i for i, line in enumerate(lines) if line.split("=", 1)[0].strip() == name), None)
    lines = [*lines, written] if place is None else [*lines[:place], written, *lines[place + 1 :]]
    try:
        os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
        with open(f"{file}.part", "w", encoding="utf-8") as opened:
            opened.write("\n".join(lines) + "\n")
        os.replace(f"{file}.part", file)
    except OSError as error:
        raise InvalidSettings(f"{file} cannot be written ({error.strerror})", hint="Check its permissions.") from error
    return checked


def changed(settings: Settings) -> dict[str, str]:
    """The settings that are not at their default, as environment variables for a process of ours."""
    usual = Settings()
    names = [f.name for f in fields(Settings) if getattr(settings, f.name) != getattr(usual, f.name)]
    return {f"HOLDFAST_{name.upper()}": str(getattr(settings, name)) for name in names}


def _lines(file: str) -> list[str]:
    if not os.path.exists(file):
        return []
    with open(file, encoding="utf-8") as opened:
        return opened.read().splitlines()


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        import json

        # Why JSON: its escapes are TOML's too.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def _from_file(file: str | None) -> Mapping[str, Any]:
    if not file or not os.path.exists(file):
        return {}
    import tomllib

    try:
        with open(file, "rb") as opened:
            return tomllib.load(opened)
    except ValueError as error:  # Why this wide: text that is not UTF-8 is one too.
        raise InvalidSettings(f"{file} is not valid TOML ({error})", hint="Correct or move that file.") from error
    except OSError as error:
        raise InvalidSettings(f"{file} cannot be read ({error.strerror})", hint="Check its permissions.") from error


def _from_environment(environment: Mapping[str, str]) -> Mapping[str, str]:
    names = {f"HOLDFAST_{f.name.upper()}": f.name for f in fields(Settings)}
    return {names[key]: value for key, value in environment.items() if key in names}


def _apply(settings: Settings, values: Mapping[str, Any], origin: str) -> Settings:
    known = {f.name: f for f in fields(Settings)}
    checked: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            raise InvalidSettings(f"{name} (in {origin}) is not a setting")
        checked[name] = _checked(name, value, getattr(settings, name), known[name].metadata, origin)
    return replace(settings, **checked)


def _checked(name: str, value: Any, like: Any, metadata: Mapping[str, Any], origin: str) -> Any:
    try:
        converted = _convert(value, like)
    except (TypeError, ValueError):
        raise InvalidSettings(f"{name} = {value!r} (in {origin}) is not a {type(like).__name__}") from None
    if metadata["choices"] and converted not in metadata["choices"]:
        known = ", ".join(choice or "empty" for choice in metadata["choices"])
        raise InvalidSettings(f"{name} = {value!r} (in {origin}) is none of: {known}")
    if metadata["low"] is not None and converted < metadata["low"]:
        raise InvalidSettings(f"{name} = {value!r} (in {origin}) is below {metadata['low']}")
    return converted


_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")


def _convert(value: Any, like: Any) -> Any:
    if isinstance(like, bool):
        text = str(value).strip().lower()
        if text not in _TRUE + _FALSE:
            raise ValueError(text)
        return text in _TRUE
    if isinstance(like, str):
        if not isinstance(value, str):
            raise TypeError
        return value
    converted = type(like)(value)
    if not math.isfinite(converted) or (isinstance(value, float) and converted != value):
        raise ValueError(value)
    return converted
