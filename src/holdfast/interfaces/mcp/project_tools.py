"""The tools about the project as a whole: its state, its entities, its context, its documents."""

from __future__ import annotations

from holdfast.interfaces.mcp import calls
from holdfast.interfaces.mcp.schemas import (
    LONGEST_NAME,
    LONGEST_QUERY,
    MOST_FILES,
    Schema,
    count_schema,
    limit_schema,
    list_schema,
    object_schema,
    text_schema,
)
from holdfast.interfaces.mcp.tool import Tool
from holdfast.observer.qa import SEVERITIES
from holdfast.observer.session_kinds import LIMITS

_MOST_MEMORIES, _USUAL_MEMORIES = 30, 8
_MOST_STEPS, _MOST_LEVELS, _MOST_FAILURES, _MOST_MODULES = 100_000, 6, 20, 10
_SMALLEST_BUDGET, _LARGEST_BUDGET = 100, 20_000


def memory_stats() -> Tool:
    """Counts the memories."""
    return Tool(
        "memory_stats",
        "Memory statistics",
        "Count the memories of this project by type, and name its folder and database, when the user asks about the "
        "memory itself.",
        object_schema({}, ()),
        calls.stats,
        {
            "memories": count_schema("Number of memories that are valid now."),
            "to_review": count_schema("Number of memories that wait for a person's review."),
        },
        read_only=True,
    )


def get_entity() -> Tool:
    """Shows what is stored about an entity."""
    return Tool(
        "get_entity",
        "Look up an entity",
        "Show the memories that mention a person, project, library, file or other named thing, when the user asks "
        "about it by name; for any other question use search_memory.",
        object_schema(
            {
                "name": text_schema("Name or alias of the entity.", LONGEST_NAME),
                "limit": limit_schema("Maximum number of memories.", _USUAL_MEMORIES, _MOST_MEMORIES),
            },
            ("name",),
        ),
        calls.entity,
        {"mentions": count_schema("Number of memories that mention it.")},
        read_only=True,
    )


def get_session_context() -> Tool:
    """Packs what a task needs."""
    return Tool(
        "get_session_context",
        "Get the context of a task",
        "Get the standing rules and the notes that matter for a task, at its start if this session did not begin with "
        "such notes, and when the topic changes; for a single question use search_memory.",
        object_schema(
            {
                "task": text_schema("The task in plain words; name files, functions or errors.", LONGEST_QUERY),
                "session": text_schema(
                    "Id of this conversation, known anyway where hooks are connected: what it has is left out.",
                    LONGEST_NAME,
                ),
                "phase": text_schema("Phase of the work, for example implement.", LONGEST_NAME),
                "budget": {
                    "type": "integer",
                    "minimum": _SMALLEST_BUDGET,
                    "maximum": _LARGEST_BUDGET,
                    "description": "Maximum number of tokens; the default depends on the phase.",
                },
                "repeat": {
                    "type": "boolean",
                    "default": False,
                    "description": "Include what the session was given before, for example after its context was cut.",
                },
            },
            ("task",),
        ),
        calls.context,
        {"tokens": count_schema("Estimated tokens of the notes.")},
        read_only=True,
    )


def record_outcome() -> Tool:
    """Stores how a unit of work ended."""
    steps = {"type": "integer", "minimum": 0, "maximum": _MOST_STEPS}
    unit = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME, "pattern": r"\S"}
    return Tool(
        "record_outcome",
        "Record how a task ended",
        "Store how a planned unit of work ended, once, when it is finished or given up; for single facts use remember.",
        object_schema(
            {
                "succeeded": {"type": "boolean", "description": "Whether the work reached its goal."},
                "work_unit": {
                    "type": "object",
                    "additionalProperties": unit,
                    "minProperties": 1,
                    "maxProperties": _MOST_LEVELS,
                    "description": 'The unit by the levels of the methodology, for example {"spec": "042"}.',
                },
                "steps_planned": {**steps, "description": "Number of steps that were planned."},
                "steps_taken": {**steps, "description": "Number of steps it took."},
                "qa_rounds": {**steps, "description": "Number of rounds of review or testing."},
                "qa_passed": {"type": "boolean", "description": "Whether review or tests of the work passed."},
                "failures": _failures(),
                "files": list_schema("The files that were changed.", MOST_FILES),
                "modules": list_schema("The folders that it was about; by default that of most files.", _MOST_MODULES),
                "report": text_schema(
                    "Where the work stands: a check list, and lines that begin with In progress, Next or Decided.",
                    LONGEST_QUERY,
                ),
                "session": text_schema("Id of this conversation, if you know it.", LONGEST_NAME),
                "kind": {"type": "string", "enum": list(LIMITS), "description": "Kind of work of this conversation."},
            },
            ("succeeded", "work_unit"),
        ),
        calls.record_outcome,
        {"stored": count_schema("Number of memories stored.")},
        repeatable=False,
    )


def _failures() -> Schema:
    """The failures that quality assurance found."""
    failure = {
        "severity": {"type": "string", "enum": list(SEVERITIES)},
        "text": text_schema("What is wrong.", LONGEST_QUERY),
        "fix": text_schema("How to fix it, if that is known.", LONGEST_QUERY),
        "files": list_schema("The files that it is in.", MOST_FILES),
    }
    return {
        "type": "array",
        "maxItems": _MOST_FAILURES,
        "items": object_schema(failure, ("severity", "text")),
        "description": "What review or tests found; critical and high failures are remembered.",
    }


def index_project() -> Tool:
    """Indexes documents."""
    return Tool(
        "index_project",
        "Index the project's documents and code",
        "Read new and changed documents and code into the index, after you wrote or moved many files or when a tool "
        "or the user asks for it; it may take minutes at first.",
        object_schema({"paths": list_schema("Only these files and folders of the project.", MOST_FILES)}, ()),
        calls.index,
        {name: count_schema(f"Number of documents {name}.") for name in ("added", "updated", "removed", "unchanged")},
        long=True,
    )
