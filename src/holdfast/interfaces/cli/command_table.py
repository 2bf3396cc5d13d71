"""The table of all commands; `holdfast --help` and the click commands are built from it."""

from __future__ import annotations

from holdfast.interfaces.language import translatable, translate
from holdfast.version import __version__

# The groups in order: the module that defines the commands, and the title of the group.
GROUPS = (
    ("memory_commands", translatable("Store and search")),
    ("entity_commands", translatable("Store and search")),
    ("review_commands", translatable("Review")),
    ("session_commands", translatable("Conversations")),
    ("consolidation", translatable("Conversations")),
    ("memory_file_commands", translatable("Conversations")),
    ("observer_commands", translatable("Agents")),
    ("document_commands", translatable("Documents")),
    ("code_commands", translatable("Code")),
    ("transfer_commands", translatable("Import and export")),
    ("setup", translatable("Maintenance")),
    ("maintenance", translatable("Maintenance")),
    ("setting_commands", translatable("Maintenance")),
    ("connecting", translatable("Integrations and tools")),
    ("program_commands", translatable("Integrations and tools")),
)

# Each command: name, help, module.
COMMANDS = (
    ("remember", translatable("Store a memory."), "memory_commands"),
    ("search", translatable("Search memories and documents, best hits first."), "memory_commands"),
    ("context", translatable("Print the memories relevant to a prompt, ready to insert into it."), "memory_commands"),
    ("show", translatable("Show one memory with its origin and history."), "memory_commands"),
    ("list", translatable("List memories by type, file, tag or date."), "memory_commands"),
    ("correct", translatable("Replace a memory with a corrected text."), "review_commands"),
    ("confirm", translatable("Mark a memory as correct, so that it no longer decays."), "review_commands"),
    ("flag", translatable("Mark a memory as possibly wrong, for review."), "review_commands"),
    ("outcome", translatable("Record whether a memory was used, ignored or contradicted."), "review_commands"),
    ("pin", translatable("Pin a memory: it is part of every context and never decays."), "review_commands"),
    ("personal", translatable("Show or choose what holds in all of your projects."), "review_commands"),
    ("release", translatable("Let models see a memory from which a secret was removed."), "review_commands"),
    ("forget", translatable("Remove a memory from search; `restore` undoes this."), "review_commands"),
    ("restore", translatable("Restore a forgotten or corrected memory."), "review_commands"),
    ("undo", translatable("Undo the latest change, also of many memories at once."), "review_commands"),
    ("redo", translatable("Do again what `undo` took back."), "review_commands"),
    ("log", translatable("List the latest changes, which `undo` takes back one by one."), "review_commands"),
    ("session", translatable("List, show, import and end conversations."), "session_commands"),
    ("consolidate", translatable("Extract memories from messages added since the last run."), "consolidation"),
    ("reflect", translatable("Summarise the last seven days in one memory."), "consolidation"),
    ("entity", translatable("Show, merge and rename people, projects and other entities."), "entity_commands"),
    ("observe", translatable("Learn from what agents did, by their transcripts."), "observer_commands"),
    ("prefetch", translatable("List the files that a task will probably need."), "observer_commands"),
    ("index", translatable("Update the index of documents and code from the project's files."), "document_commands"),
    ("related", translatable("List documents linked to a document or often found with it."), "document_commands"),
    ("gc", translatable("Remove duplicate chunks and unused documents from the index."), "document_commands"),
    ("validate", translatable("Find contradictions in specifications and memories."), "document_commands"),
    ("impact", translatable("Show what a change of code affects, and which tests to run."), "code_commands"),
    ("deps", translatable("Show what code depends on."), "code_commands"),
    ("flow", translatable("Show how data gets to code and where it goes."), "code_commands"),
    ("modules", translatable("Show the modules of the code and what is remembered of them."), "code_commands"),
    ("memory", translatable("View and edit the memory file, MEMORY.md."), "memory_file_commands"),
    ("export", translatable("Export everything stored for the project as JSON or Markdown."), "transfer_commands"),
    (
        "import",
        translatable("Import exports, instruction files and other programs' memories."),
        "transfer_commands",
    ),
    ("init", translatable("Set up this project and show where its memory is stored."), "setup"),
    ("stats", translatable("Show what is stored and the state of background work."), "maintenance"),
    ("doctor", translatable("Check the database and the embedding model; repair on request."), "maintenance"),
    ("upkeep", translatable("Run background jobs now."), "maintenance"),
    ("models", translatable("List, download and choose embedding models."), "maintenance"),
    ("projects", translatable("List all projects with the number of their memories."), "setting_commands"),
    ("config", translatable("Show and change settings."), "setting_commands"),
    ("connect", translatable("Connect an agent: add hooks and the MCP server to its settings."), "connecting"),
    ("hook", translatable("Answer a hook of an agent: record the event and supply memories."), "program_commands"),
    ("mcp", translatable("Start the MCP server, which gives agents access to memory."), "program_commands"),
    ("bench", translatable("Run the quality and speed benchmarks."), "program_commands"),
    ("completion", translatable("Print a shell completion script."), "program_commands"),
)

# The options allowed before or after any command: name, value, help.
OPTIONS = (
    ("--db", "FILE", translatable("Database file (default: in your data folder).")),
    ("--project", "FOLDER|NAME", translatable("Project (default: that of the current folder).")),
    ("--json", "", translatable("Print the result as JSON.")),
    ("--lang", "en|fr", translatable("Language of the output.")),
)
HELP = ("-h, --help", "", translatable("Show help."))
_VERSION = ("--version", "", translatable("Print the version."))


def module_of(command: str) -> str | None:
    """Returns the module that defines a command."""
    return next((group for name, _, group in COMMANDS if name == command), None)


def help_of(command: str) -> str:
    """Returns the English help of a command."""
    return next(help for name, help, _ in COMMANDS if name == command)


def root_help() -> str:
    """Returns the output of `holdfast --help`."""
    lines = [
        translate("Holdfast {version}: long-term memory for AI agents.", version=__version__),
        translate("It checks what it stores and explains what it finds."),
        "",
        translate("Usage: holdfast COMMAND [OPTIONS]"),
    ]
    previous = ""
    for group, title in GROUPS:
        lines += ["", translate(title)] if title != previous else []
        previous = title
        lines += [f"  {name:<13}{translate(help)}" for name, help, of in COMMANDS if of == group]
    options = [(f"{name} {takes}".strip(), help) for name, takes, help in (*OPTIONS, _VERSION, HELP)]
    lines += ["", translate("Options (before or after the command)")]
    lines += [f"  {name:<23}{translate(help)}" for name, help in options]
    lines += ["", translate("Start with `holdfast init`. Help on a command: `holdfast COMMAND --help`.")]
    return "\n".join(lines)
