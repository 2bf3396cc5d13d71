"""Translates errors: the sentence of each class, what exactly went wrong, and the next step.

Errors are English texts where they are raised. This module recognises those that people meet at the command line and
fills their values into the translation. An error is translated as a whole or, if a part of it is unknown here, not at
all: errors of Python arguments, of foreign formats and of model files stay English.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.interfaces.language import translatable, translate

if TYPE_CHECKING:
    from holdfast.core.errors import HoldfastError

# What went wrong; the words in braces are values. A test compares them with the texts in the source.
DETAILS = (
    translatable("memory {id}"),
    translatable("memory {id} in this project"),
    translatable("several memories have {part} in their id ({ids})"),
    translatable("memory {id} is neither forgotten nor superseded"),
    translatable("no secret was removed from memory {id}"),
    translatable("{id} is forgotten or superseded"),
    translatable("{id} is a message"),
    translatable("{id} is about files of this project"),
    translatable("a change to undo"),
    translatable("a memory cannot be a duplicate of itself"),
    translatable("a person taught, confirmed or pinned memory {id}"),
    translatable("memory {id} waits for a person's review"),
    translatable("`holdfast {command}` was run in the shell of an agent"),
    translatable("project {name}"),
    translatable("several projects are named {name} ({folders})"),
    translatable("the working directory was deleted"),
    translatable("database {path}"),
    translatable("session {id}"),
    translatable("entity {id}"),
    translatable("{count} sessions begin with {part}"),
    translatable("edits of MEMORY.md wait for confirmation"),
    translatable("the memories of {user} have no MEMORY.md"),
    translatable("no editor"),
    translatable("an editor needs a terminal"),
    translatable("the query is empty"),
    translatable("the limit must be at least 1, not {value}"),
    translatable("standard input is closed"),
    translatable("standard input has more than {count} bytes"),
    translatable("{text} is not UTF-8"),
    translatable("{path} is not UTF-8 (byte {place})"),
    translatable("{path} cannot be read ({why})"),
    translatable("{path} is outside the project {root}"),
    translatable("{path} is not a file"),
    translatable("{path} does not exist"),
    translatable("{path} is a link"),
    translatable("{path} is not a transcript of a known format"),
    translatable("this JSON was not written by `holdfast export`"),
    translatable("this Markdown has no list items"),
    translatable("this file contains personal memories, which hold in all of your projects"),
    translatable("document {path}"),
    translatable("the name {path} contains a secret"),
    translatable("change {path}"),
    translatable("entity {name}"),
    translatable("{name} is protected"),
    translatable("a merge of {name}"),
    translatable("{path} in the code index"),
    translatable("{setting} must be one of: {values}"),
    translatable("{setting} must be at least {least}"),
    translatable("{setting} must be at most {most}"),
    translatable("{setting} must be a {kind}"),
    translatable("{path} is not valid TOML ({why})"),
    translatable("llm_command cannot be read: {value}"),
    translatable("llm_command: {name} is not installed, or not on the PATH"),
    translatable("llm_command: {name} is relative to the current folder"),
    translatable("llm_command: {name} with arguments keeps its tools and hooks"),
    translatable("phase {phase} is unknown to the methodology {methodology}"),
    translatable("recipe {name}"),
    translatable("mode {name}"),
    translatable("job {name}"),
    translatable("agent {name}"),
    translatable("role {name}"),
    translatable("format {name}"),
    translatable("waited {seconds} s for {path}"),
    translatable("{path} is held by another process"),
    translatable("{path} has schema {found}, this program knows up to {known}"),
    translatable("{calls} calls, {tokens} tokens"),
    translatable("{address} took longer than {seconds} s"),
    translatable("{path}: nothing can be read, and there is no backup"),
    translatable("{path} ({why})"),
)
# The next step, where the class does not say it.
HINTS = (
    translatable("Use one of: {values}."),
    translatable("Give the folder of one."),
    translatable("Give more characters of the id."),
    translatable("Give at least four characters of its id."),
    translatable("Give more of its id."),
    translatable("`holdfast list --forgotten` shows what can be restored."),
    translatable("`holdfast projects` lists all of them."),
    translatable("`holdfast session list` shows the sessions."),
    translatable("See `holdfast entity list`."),
    translatable("Nothing to restore."),
    translatable("Search for the one that holds now."),
    translatable("Others read the project's MEMORY.md. Use `holdfast list` and `holdfast correct`."),
    translatable("Ask the user to run it in a terminal of their own."),
    translatable("It is not kept from models."),
    translatable("Restore it first: `holdfast restore {id}`."),
    translatable("Ask a question, or name a word to search for."),
    translatable("Check --db, or make it: holdfast --db {path} init"),
    translatable("Write it as UTF-8, or pipe it in."),
    translatable("Pipe a text into the command, or give it as argument."),
    translatable("Give a shorter text."),
    translatable("The file was left as it is. Copy a backup of your own to its place, or move it away to start again."),
    translatable("Nothing was changed. Check {path}, or give its format with --format."),
    translatable("Check its name."),
    translatable("Check its folder."),
    translatable("Check its path."),
    translatable("Check its permissions."),
    translatable("Check its folder and its permissions."),
    translatable("Name a file of the project."),
    translatable("Name a file or folder of the project."),
    translatable("Name a transcript file, or a folder of them."),
    translatable("Name a transcript of Claude Code, Codex, Gemini CLI, Copilot CLI or opencode, or a folder of them."),
    translatable("Name the folder of a change that contains a folder `specs`."),
    translatable("Only indexed documents are known; run `holdfast index`."),
    translatable("No code of this project is indexed yet; run `holdfast index`."),
    translatable("It is outside the project."),
    translatable("The folder exists, but none of its files is in the code index."),
    translatable("The file exists, but its language has no code graph; `holdfast search` finds its text."),
    translatable("The file exists, but the code index leaves it out: git or the setting index_ignore ignores it."),
    translatable("The file exists, but the code index leaves it out: it is generated, bundled or minified."),
    translatable("The file exists, but the code index leaves it out: it is a copy of a library."),
    translatable("The file exists, but the code index leaves it out: it is too large or takes too long to read."),
    translatable("The file exists, but Holdfast failed to read it; `holdfast index` names the file."),
    translatable("The file exists, but the code index leaves it out: it is a link or no readable text."),
    translatable("Name a file, a folder, file:symbol, file:line, or a symbol."),
    translatable("Set EDITOR to the name of your editor."),
    translatable("Set EDITOR to the name of your editor, or edit {path} and run `holdfast memory sync`."),
    translatable("If they are yours, import it with --personal."),
    translatable("Convert it to UTF-8 and try again."),
    translatable("Choose one of {values}."),
    translatable("Give `claude`, `codex`, or a command line whose program reads a prompt and prints the answer."),
    translatable("Give the full path of the program, or a name on the PATH."),
    translatable(
        "Give its name alone; llm_model chooses its model. A script of your own may start it with other arguments."
    ),
    translatable("Known formats: {values}."),
    translatable("Change to another folder, or name one with --project."),
)
# The mistakes that click reports.
USAGE = (
    translatable("Missing argument {name}."),
    translatable("Missing option {name}."),
    translatable("No such option {name}."),
    translatable("No such option {name}. Did you mean {meant}?"),
    translatable("Option {name} requires an argument."),
    translatable("Got unexpected extra argument ({value})"),
    translatable("Got unexpected extra arguments ({value})"),
    translatable("Invalid value for {name}: {why}"),
    translatable("{value} is not a whole number from {low} to {high}."),
    translatable("{value} is not a whole number of at least {low}."),
    translatable("{value} is not a number from 0 to 1."),
    translatable("{value} is not one of {values}."),
    translatable("{value} is not a valid integer."),
    translatable("{value} is not a valid float."),
    translatable("{value} is not a date; write it like 2026-07-01, 2026-07-01T14:30, yesterday or 3 days ago"),
)
_MEANT = translatable("Did you mean {meant}?")
_FIELD = re.compile(r"\{(\w{1,20})\}")


def text_of_error(error: HoldfastError) -> str:
    """Returns an error in the chosen language: what happened, the object or cause, and the next step."""
    what = translate(f"{error.what}.").removesuffix(".")
    detail = _translated(error.detail.removesuffix("."), DETAILS) if _has_words(error.detail) else error.detail
    hint = _hint(error.hint, (type(error).hint, *HINTS)) if error.hint else ""
    if detail is None or hint is None:
        return str(error)
    text = translate("{what}: {detail}", what=what, detail=detail) if detail else what
    return f"{text.rstrip('.')}. {hint}".strip()


def text_of_mistake(message: str) -> str:
    """Returns a message of click in the chosen language; English if it is not known."""
    known = _recognised(message, USAGE)
    if known is None:
        return message
    template, filled = known
    if "why" in filled:
        filled = {**filled, "why": text_of_mistake(filled["why"])}
    return translate(template, **filled)


def _hint(hint: str, templates: tuple[str, ...]) -> str | None:
    """A next step, after the name that was probably meant, if one was similar (`core.suggestion`)."""
    question, mark, step = hint.partition("? ")
    meant = _values(question + "?", _MEANT) if mark else None
    if meant is None:
        return _translated(hint, templates)
    then = _translated(step, templates) if step else ""
    return None if then is None else f"{translate(_MEANT, **meant)} {then}"


def _has_words(detail: str) -> bool:
    """Is it more than a name or a path, which are the same in every language?"""
    return " " in detail.strip()


def _translated(text: str, templates: tuple[str, ...]) -> str | None:
    known = _recognised(text, templates)
    return translate(known[0], **known[1]) if known else None


def _recognised(text: str, templates: tuple[str, ...]) -> tuple[str, dict[str, str]] | None:
    """The template that the text follows, and its values: rather one that begins with words, and has the most."""
    known = ((template, values) for template in templates if (values := _values(text, template)) is not None)
    return max(known, key=lambda pair: (not pair[0].startswith("{"), len(_FIELD.sub("", pair[0]))), default=None)


def _values(text: str, template: str) -> dict[str, str] | None:
    """The values by which a text differs from a template, or None if it is another text. Takes linear time."""
    literals, names = _FIELD.split(template)[::2], _FIELD.findall(template)
    if not names:
        return {} if text == template else None
    if len(text) < sum(map(len, literals)) or not text.startswith(literals[0]) or not text.endswith(literals[-1]):
        return None
    values, at, end = [], len(literals[0]), len(text) - len(literals[-1])
    for literal in literals[1:-1]:
        found = text.find(literal, at, end)
        if found < 0:
            return None
        values.append(text[at:found])
        at = found + len(literal)
    values.append(text[at:end])
    return dict(zip(names, values, strict=True)) if all(values) else None
