"""Every command in one table: what `holdfast --help` prints and what the command line is built from."""

from __future__ import annotations

from holdfast.interfaces.language import say, to_say
from holdfast.version import __version__

# The groups, in order: each module beside this one that holds commands, and the title it stands under.
GROUPS = (
    ("memories", to_say("Keep and find")),
    ("entities", to_say("Keep and find")),
    ("review", to_say("Put right")),
    ("sessions", to_say("Conversations")),
    ("consolidation", to_say("Conversations")),
    ("memory_files", to_say("Conversations")),
    ("documents", to_say("Documents")),
    ("transfer", to_say("In and out")),
    ("maintenance", to_say("The house")),
    ("programs", to_say("Programs")),
)

# Each command: its name, its line of help, its group.
COMMANDS = (
    ("remember", to_say("Keep something worth keeping."), "memories"),
    ("search", to_say("Find what is known, best first, each with its reason."), "memories"),
    ("context", to_say("What is known about a prompt, packed to stand in it."), "memories"),
    ("show", to_say("One memory in full, with its origin and history."), "memories"),
    ("list", to_say("Memories by type, file, tag or time."), "memories"),
    ("correct", to_say("Put a better text in the place of a memory."), "review"),
    ("confirm", to_say("Say that a memory is right: it no longer fades."), "review"),
    ("flag", to_say("Say that a memory may be wrong."), "review"),
    ("pin", to_say("Say that a memory matters: never fades, never pruned."), "review"),
    ("forget", to_say("Put a memory out of sight; restore brings it back."), "review"),
    ("restore", to_say("Undo a forgetting or a correction."), "review"),
    ("session", to_say("List, show, import and end conversations."), "sessions"),
    ("consolidate", to_say("Learn from what was said since last time."), "consolidation"),
    ("reflect", to_say("Look back on the last seven days."), "consolidation"),
    ("entity", to_say("Everything about someone or something; merge and rename."), "entities"),
    ("index", to_say("Bring the documents of the project in step with its files."), "documents"),
    ("related", to_say("Documents found together with one, or linked with it."), "documents"),
    ("gc", to_say("Take out what documents say twice or nobody looks for."), "documents"),
    ("validate", to_say("Find what contradicts itself, in specs and memories."), "documents"),
    ("memory", to_say("Read and edit what is remembered as a file."), "memory_files"),
    ("export", to_say("Write all that the project knows as JSON or markdown."), "transfer"),
    ("import", to_say("Bring an export or a markdown list in."), "transfer"),
    ("init", to_say("Recognise this project and say where its memory lies."), "maintenance"),
    ("stats", to_say("What is held, and what the background is at."), "maintenance"),
    ("doctor", to_say("Examine the database and the model; repair what can be."), "maintenance"),
    ("upkeep", to_say("Run the background work here and now."), "maintenance"),
    ("models", to_say("List, fetch and choose embedding models."), "maintenance"),
    ("mcp", to_say("Serve memory to an agent over the Model Context Protocol."), "programs"),
    ("bench", to_say("Measure quality and speed."), "programs"),
    ("completion", to_say("Print the completion script for a shell."), "programs"),
)

# The options that stand before or after any command: name, what it takes, help.
OPTIONS = (
    ("--db", "FILE", to_say("Database file; by default in your data folder.")),
    ("--project", "FOLDER|NAME", to_say("Project; by default that of the current folder.")),
    ("--json", "", to_say("Answer as JSON, for programs.")),
    ("--lang", "en|fr", to_say("Language of what is said.")),
)
HELP = ("-h, --help", "", to_say("Explain a command, or all of them."))
_VERSION = ("--version", "", to_say("Print the version."))


def home_of(command: str) -> str | None:
    """The module that holds a command."""
    return next((group for name, _, group in COMMANDS if name == command), None)


def help_of(command: str) -> str:
    """A command's line of help, in English."""
    return next(help for name, help, _ in COMMANDS if name == command)


def root_help() -> str:
    """What `holdfast --help` prints."""
    about = say("long-term memory for AI agents, checked on the way in, explained on the way out.")
    lines = [f"Holdfast {__version__}: {about}", "", say("Usage: holdfast COMMAND [OPTIONS]")]
    above = ""
    for group, title in GROUPS:
        lines += ["", say(title)] if title != above else []
        above = title
        lines += [f"  {name:<23}{say(help)}" for name, help, of in COMMANDS if of == group]
    options = [(f"{name} {takes}".strip(), help) for name, takes, help in (*OPTIONS, _VERSION, HELP)]
    lines += ["", say("Options, before or after the command")]
    lines += [f"  {name:<23}{say(help)}" for name, help in options]
    lines += ["", say("Begin with `holdfast init`. `holdfast COMMAND --help` explains a command.")]
    return "\n".join(lines)
