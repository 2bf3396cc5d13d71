"""All settings as one frozen value, each with a default and one line of help. Read once, when a workspace is opened.

Later sources win: the default, the user's settings file, `HOLDFAST_…` in the environment, arguments.
Settings are never read from the project's folder (docs/decisions/0003-no-project-settings.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, fields, replace
from typing import Any

from holdfast.core.arguments import check_fields, check_named, check_value
from holdfast.core.errors import InvalidSettings
from holdfast.core.frozen import frozen
from holdfast.core.suggestion import did_you_mean

ENVIRONMENT = "environment"


def _setting(
    default: Any, help: str, choices: tuple[str, ...] = (), low: float = -math.inf, high: float = math.inf
) -> Any:
    return field(default=default, metadata={"help": help, "choices": choices, "low": low, "high": high})


@frozen
class Settings:
    """The settings of a workspace."""

    db: str = _setting("", "Database file. Empty: holdfast.db in the user's data folder.")
    project: str = _setting("", "Project folder, name or id. Empty: the project of the working directory.")
    user: str = _setting("", "Person whose memories are used, isolated from those of others in the same project.")
    identity: str = _setting(
        "git",
        "How a project is identified: git (worktrees and clones share one memory) or folder.",
        ("git", "folder"),
    )
    durability: str = _setting(
        "acknowledged",
        "What survives a power failure: acknowledged (everything reported as stored) or everything (also messages).",
        ("acknowledged", "everything"),
    )
    busy_seconds: float = _setting(30.0, "Seconds to wait for another process that is writing.", low=0)
    background: bool = _setting(True, "Run background work, such as embedding, in a separate low-priority process.")
    language: str = _setting("", "Language of the command line: en or fr. Empty: from the locale.", ("", "en", "fr"))
    methodology: str = _setting(
        "native", "Methodology whose phase names are accepted: native, tdd, bmad, a .toml file, or one of a plug-in."
    )
    inject: str = _setting(
        "full",
        "What hooks add to an agent's prompts: full, passive (at the start and the first prompt only) or off (hooks"
        " only observe).",
        ("full", "passive", "off"),
    )
    ask_agent: bool = _setting(
        True,
        "Ask the agent to store what the user says that will still matter later; in hooks, with `inject` full.",
    )
    mcp_tools: str = _setting(
        "few",
        "Tools of the MCP server: few (search, remember, correct, forget, impact), because clients put each into every"
        " prompt, or all.",
        ("few", "all"),
    )
    trust_level: int = _setting(
        2,
        "How sure a memory must be before it is shown unasked: 1 (confidence 0.80), 2 (0.65), 3 (0.55) or 4 (0.45).",
        low=1,
    )
    hook_seconds: float = _setting(
        3.0, "Seconds after which a hook gives up, and the agent goes on without memory.", low=0
    )
    max_steps: int = _setting(1_000, "Maximum of `step_limit`, whatever earlier tasks of a module took.", low=1)
    max_characters: int = _setting(20_000, "Maximum characters of a memory; index longer texts as documents.", low=1)
    near_duplicate: float = _setting(0.75, "Minimum word overlap (Jaccard index) of near-duplicates.", low=0, high=1)
    abstain_below: float = _setting(0.12, "Minimum probability, 0 to 1, that a hit answers the query.", low=0, high=1)
    per_session: int = _setting(0, "Maximum messages of one session in a search result; 0: no limit.", low=0)
    per_document: int = _setting(
        3, "Maximum chunks of one document when only documents are searched; 0: no limit.", low=0
    )
    shorthand: str = _setting(
        "",
        "Further shorthand for searches, separated by commas: fe = frontend, qa = quality assurance | testing. An entry"
        " without a meaning removes one of the built-in ones.",
    )
    index_preset: str = _setting(
        "any", "Preset of files to index and their labels: any, or cyberk-flow for projects with that layout."
    )
    index_roots: str = _setting(
        "",
        "Folders to index instead of the preset's, separated by commas: docs, notes=note, runbooks=guide:procedural.",
    )
    index_ignore: str = _setting(
        "",
        "Patterns of documents and code files to skip, as in .gitignore, separated by commas; added to the"
        " project's own.",
    )
    index_code: bool = _setting(True, "Index the project's code too, for impact analysis.")
    index_code_chunks: bool = _setting(True, "Find the functions and classes of indexed code in searches.")
    index_max_bytes: int = _setting(
        10_000_000, "Maximum bytes of an indexed file; larger files are reported and skipped; 0: no limit.", low=0
    )
    entities: str = _setting(
        "accurate",
        "How names are recognised: fast (patterns, when stored), accurate (also a nightly second pass) or none.",
        ("accurate", "fast", "none"),
    )
    embedder: str = _setting(
        "auto",
        "Embedding model: auto, bundled, one of its sizes (static, small, base), none, fake, a model folder, a pulled"
        " model, ollama:MODEL, or http (see embed_url).",
    )
    embed_when: str = _setting(
        "later", "When to embed: later (in the background) or now (storing waits for the vector).", ("later", "now")
    )
    allow_ollama: bool = _setting(False, "Let `auto` choose a model of a local Ollama server.")
    ollama_url: str = _setting("http://127.0.0.1:11434", "Address of the Ollama server.")
    embed_url: str = _setting("", "Base URL of an OpenAI-compatible embeddings endpoint, including /v1.")
    embed_model: str = _setting("", "Model name for the embeddings endpoint.")
    embed_key: str = _setting(
        "", "API key for the embeddings endpoint. Keys in variables of other programs are not used."
    )
    embed_dimensions: int = _setting(0, "Dimensions to request from the embeddings endpoint; 0: its default.", low=0)
    rerank_url: str = _setting(
        "", "URL of a Cohere-style /rerank endpoint for the best candidates. Empty: no endpoint."
    )
    rerank_model: str = _setting(
        "",
        "Model name for the rerank endpoint. Without an endpoint: the absolute path of a folder with a"
        " cross-encoder (ONNX). Empty: no reranking.",
    )
    rerank_key: str = _setting("", "API key for the rerank endpoint.")
    llm_url: str = _setting(
        "",
        "Base URL of an OpenAI-compatible chat endpoint, including /v1. Used to extract memories from sessions, and"
        " when a search finds little. Empty: no language model.",
    )
    llm_command: str = _setting(
        "",
        "A program as language model, if there is no llm_url: claude, codex, or a command line that reads a prompt and"
        " prints the answer. It learns from sessions in the background; searches do not wait for it.",
    )
    llm_model: str = _setting("", "Model name for the chat endpoint, or for claude or codex as llm_command.")
    llm_key: str = _setting("", "API key for the chat endpoint.")
    llm_daily_calls: int = _setting(200, "Maximum chat-endpoint calls per UTC day.", low=0)
    llm_daily_tokens: int = _setting(
        400_000, "Maximum tokens sent to and received from the chat endpoint per UTC day.", low=0
    )
    memory_window: int = _setting(50, "Maximum messages of a session in a prompt.", low=2)
    memory_files: bool = _setting(
        True, "Write MEMORY.md, HISTORY.md and session files to .holdfast/memory in the project."
    )
    schedule: str = _setting(
        "enrich 02:00, evict 04:00, tidy 04:30, reflect sun 03:00",
        "When nightly jobs run: a time of day, optionally with a day of the week.",
    )
    daily_backups: int = _setting(2, "Daily backups to keep next to the database; 0: none.", low=0)
    idle_minutes: float = _setting(30.0, "Minutes without a message until a session is consolidated.", low=0)
    http_timeout: float = _setting(30.0, "Seconds to wait for a model endpoint or the hub.", low=0.1)
    search_timeout: float = _setting(
        2.0,
        "Seconds that a search, or storing with embed_when = now, waits for the embeddings endpoint, and a search for"
        " the rerank endpoint, before it continues without.",
        low=0.1,
    )
    http_retries: int = _setting(2, "Retries of a failed call to a model endpoint or the hub.", low=0)
    hub_url: str = _setting("https://huggingface.co", "Server from which `holdfast models pull` downloads models.")
    models_folder: str = _setting("", "Folder of pulled models. Empty: models in the user's data folder.")
    embed_threads: int = _setting(0, "Threads of the local embedder; 0: half of the CPU cores.", low=0)


def opened_with(
    settings: Settings, db: str | None, project: str | None, user: str | None, values: Mapping[str, Any]
) -> Settings:
    """The settings with the values, database, project and user that a caller names. Raises InvalidInput."""
    _check_settings(settings)
    settings = apply(settings, {name: value for name, value in values.items() if value is not None})
    db = check_value(db, "str | None", "db")
    project = check_value(project, "str | None", "project")
    user = check_value(user, "str | None", "user")
    check_named(project, "project")
    check_named(user, "user")
    user = user or settings.user
    # The generated files of a project are for everyone who can read its folder.
    files = settings.memory_files and not user
    return replace(settings, db=db or settings.db, project=project or settings.project, user=user, memory_files=files)


def _check_settings(settings: object) -> None:
    if not isinstance(settings, Settings):
        hint = "Pass a holdfast.Settings, or settings by name: holdfast.open(embedder=...)."
        raise InvalidSettings(f"{type(settings).__name__} is no Settings", hint=hint)
    check_fields(settings, InvalidSettings)


def changed(settings: Settings) -> dict[str, str]:
    """The settings that differ from their default, as environment variables for a background process."""
    defaults = Settings()
    names = [f.name for f in fields(Settings) if getattr(settings, f.name) != getattr(defaults, f.name)]
    return {f"HOLDFAST_{name.upper()}": str(getattr(settings, name)) for name in names}


def from_environment(environment: Mapping[str, str]) -> Mapping[str, str]:
    """The settings that environment variables name, as text."""
    names = {f"HOLDFAST_{f.name.upper()}": f.name for f in fields(Settings)}
    return {names[key]: value for key, value in environment.items() if key in names}


def apply(settings: Settings, values: Mapping[str, Any], origin: str = "") -> Settings:
    """The settings with these values. `origin` names where they are written, unless the caller gave them."""
    known = {f.name: f for f in fields(Settings)}
    checked: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            hint = did_you_mean(name, known) + InvalidSettings.hint
            raise InvalidSettings(f"{name}{_place_of(name, origin)} does not exist", hint=hint)
        shown = f"{name} = {value!r}{_place_of(name, origin)}"
        checked[name] = _checked(shown, value, getattr(settings, name), known[name].metadata)
    return replace(settings, **checked)


def _place_of(name: str, origin: str) -> str:
    place = f"HOLDFAST_{name.upper()}" if origin == ENVIRONMENT else origin
    return f" ({place})" if place else ""


def _checked(shown: str, value: Any, like: Any, metadata: Mapping[str, Any]) -> Any:
    try:
        converted = _convert(value, like)
    except (TypeError, ValueError):
        if isinstance(like, bool):
            raise InvalidSettings(f"{shown} must be one of: true, false") from None
        raise InvalidSettings(f"{shown} must be a {_TYPES[type(like)]}") from None
    if metadata["choices"] and converted not in metadata["choices"]:
        known = ", ".join(choice or "empty" for choice in metadata["choices"])
        raise InvalidSettings(f"{shown} must be one of: {known}")
    if not isinstance(converted, str):
        _check_range(shown, converted, metadata["low"], metadata["high"])
    return converted


def _check_range(shown: str, value: float, low: float, high: float) -> None:
    if value < low:
        raise InvalidSettings(f"{shown} must be at least {low}")
    if value > high:
        raise InvalidSettings(f"{shown} must be at most {high}")


_TYPES = {int: "whole number", float: "number", str: "text"}
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
