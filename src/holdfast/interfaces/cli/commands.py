"""Every command in one table: what `holdfast --help` prints and what the command line is built from."""

from __future__ import annotations

from holdfast.interfaces.language import translatable, translate
from holdfast.version import __version__

# The groups, in order: each module beside this one that holds commands, and the title it stands under.
GROUPS = (
    ("memories", translatable("Keep and find")),
    ("entities", translatable("Keep and find")),
    ("review", translatable("Put right")),
    ("sessions", translatable("Conversations")),
    ("consolidation", translatable("Conversations")),
    ("memory_files", translatable("Conversations")),
    ("documents", translatable("Documents")),
    ("transfer", translatable("In and out")),
    ("maintenance", translatable("The house")),
    ("programs", translatable("Programs")),
)

# Each command: its name, its line of help, its group.
COMMANDS = (
    ("remember", translatable("Keep something worth keeping."), "memories"),
    ("search", translatable("Find what is known, best first, each with its reason."), "memories"),
    ("context", translatable("What is known about a prompt, packed to stand in it."), "memories"),
    ("show", translatable("One memory in full, with its origin and history."), "memories"),
    ("list", translatable("Memories by type, file, tag or time."), "memories"),
    ("correct", translatable("Put a better text in the place of a memory."), "review"),
    ("confirm", translatable("Say that a memory is right: it no longer fades."), "review"),
    ("flag", translatable("Say that a memory may be wrong."), "review"),
    ("pin", translatable("Say that a memory matters: never fades, never pruned."), "review"),
    ("forget", translatable("Put a memory out of sight; restore brings it back."), "review"),
    ("restore", translatable("Undo a forgetting or a correction."), "review"),
    ("session", translatable("List, show, import and end conversations."), "sessions"),
    ("consolidate", translatable("Learn from what was said since last time."), "consolidation"),
    ("reflect", translatable("Look back on the last seven days."), "consolidation"),
    ("entity", translatable("Everything about someone or something; merge and rename."), "entities"),
    ("index", translatable("Bring the documents of the project in step with its files."), "documents"),
    ("related", translatable("Documents found together with one, or linked with it."), "documents"),
    ("gc", translatable("Take out what documents say twice or nobody looks for."), "documents"),
    ("validate", translatable("Find what contradicts itself, in specs and memories."), "documents"),
    ("memory", translatable("Read and edit what is remembered as a file."), "memory_files"),
    ("export", translatable("Write all that the project knows as JSON or markdown."), "transfer"),
    ("import", translatable("Bring an export or a markdown list in."), "transfer"),
    ("init", translatable("Recognise this project and say where its memory lies."), "maintenance"),
    ("stats", translatable("What is held, and what the background is at."), "maintenance"),
    ("doctor", translatable("Examine the database and the model; repair what can be."), "maintenance"),
    ("upkeep", translatable("Run the background work here and now."), "maintenance"),
    ("models", translatable("List, fetch and choose embedding models."), "maintenance"),
    ("mcp", translatable("Serve memory to an agent over the Model Context Protocol."), "programs"),
    ("bench", translatable("Measure quality and speed."), "programs"),
    ("completion", translatable("Print the completion script for a shell."), "programs"),
)

# The options that stand before or after any command: name, what it takes, help.
OPTIONS = (
    ("--db", "FILE", translatable("Database file; by default in your data folder.")),
    ("--project", "FOLDER|NAME", translatable("Project; by default that of the current folder.")),
    ("--json", "", translatable("Answer as JSON, for programs.")),
    ("--lang", "en|fr", translatable("Language of what is said.")),
)
HELP = ("-h, --help", "", translatable("Explain a command, or all of them."))
_VERSION = ("--version", "", translatable("Print the version."))


def home_of(command: str) -> str | None:
    """The module that holds a command."""
    return next((group for name, _, group in COMMANDS if name == command), None)


def help_of(command: str) -> str:
    """A command's line of help, in English."""
    return next(help for name, help, _ in COMMANDS if name == command)


def root_help() -> str:
    """What `holdfast --help` prints."""
    about = translate("long-term memory for AI agents, checked on the way in, explained on the way out.")
    lines = [f"Holdfast {__version__}: {about}", "", translate("Usage: holdfast COMMAND [OPTIONS]")]
    above = ""
    for group, title in GROUPS:
        lines += ["", translate(title)] if title != above else []
        above = title
        lines += [f"  {name:<23}{translate(help)}" for name, help, of in COMMANDS if of == group]
    options = [(f"{name} {takes}".strip(), help) for name, takes, help in (*OPTIONS, _VERSION, HELP)]
    lines += ["", translate("Options, before or after the command")]
    lines += [f"  {name:<23}{translate(help)}" for name, help in options]
    lines += ["", translate("Begin with `holdfast init`. `holdfast COMMAND --help` explains a command.")]
    return "\n".join(lines)
