"""What a tool call did in the project: which files it read or edited, what it searched for, which command it ran."""

from __future__ import annotations

import os
import posixpath
import re
from itertools import dropwhile, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.agents.tool_shapes import RUN, SEARCH, shape_of
from holdfast.observer.agent_commits import commit_message
from holdfast.observer.end_to_end import drives_browser, target_of
from holdfast.system.project import relative
from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_COMMAND_WORDS = 4
_LONGEST_COMMAND, _MOST_EXAMINED = 400, 4_000
# Where the first command of a line ends: at a pipe, a redirection or the next command.
_NEXT_COMMAND = r"\s*(?:\d?>&\d|\d?>>?|<<?|\|\|?|&&|;|\n)\s*"
_THEN = r"&&|;|\n"
_MOST_CHAINED = 6
_QUOTED = r"\"[^\"]*\"?|'[^']*'?"
# A word that changes from one call to the next: an option's value, a path, a number, a quoted text.
_CHANGING = r"[/\"'`$=*#]|^\d|^[0-9a-f]{7,40}$|\.\w{1,4}$"
_TEST_WORDS = frozenset(
    "test tests pytest unittest tox nox jest vitest mocha ava playwright cypress spec rspec phpunit pest pester"
    " Invoke-Pester ctest check:test test:ci test:unit test:integration nextest".split()
)
_CHECK_WORDS = frozenset(
    "lint typecheck type-check check-types check verify fmt format vet clippy ruff mypy pyright black flake8 pylint"
    " eslint oxlint prettier biome tsc vue-tsc svelte-check golangci-lint staticcheck phpstan psalm pint rubocop"
    " shellcheck markdownlint markdownlint-cli2 Invoke-ScriptAnalyzer build".split()
)
# Commands that change the files they name, or stage them for a commit; and the file that output is written to.
_CHANGES = r"\bgit (?:add|mv|rm)\s+|(?:^|&&|;|\n)[ \t]*(?:rm|Remove-Item|mv|tee|sed -i\S*|perl -\w*i\S*|gofmt -w)\s+"
_REMOVES = r"(?:^|&&|;|\n)[ \t]*(?:(?:git )?rm|Remove-Item)\s+"
_PRINTS = r"(?:^|&&|;|\n)[ \t]*(?:cat|nl|bat|less|head|tail|sed -n|Get-Content)\s+"
_WRITES_TO = r"(?<![0-9&>-])>>?\s*([\w./@-]+)"
_CONTINUED = r"\\\n\s*"
_FILE_NAME = r"^[\"']?[\w./\\@-]+\.\w{1,6}[\"']?$"
# Programs that only look, set up the shell, or run something elsewhere; a failure of one says little about the project,
# and using one is no step of a workflow.
_LOOKING = frozenset(
    "ls cat nl head tail sort cut grep rg find pwd echo wc sed awk which tree file stat du df env printenv cd true"
    " sleep date rm mkdir chmod cp mv touch xxd od for if while case export source set unset alias command type eval"
    " pushd popd test lsof ps kill pkill jq xargs printf diff open read ssh scp rsync curl wget wsl bash sh zsh pwsh"
    " powershell cmd tmux".split()
)
# A cmdlet of PowerShell, such as `Get-Content`; a variable, or another sign of the shell.
_OF_THE_SHELL = r"^(?!Invoke-)[A-Z][a-z]+-[A-Z]\w*$|^[^\w./~\"'\\]|^\.$|[():,]"
# Code on the command line, which is of the moment: `python -c`, `node -e`, `python3 -` with a here-document.
_INTERPRETER = r"^(?:python[\d.]*|node|ruby|perl|php|deno|bun|tsx|ts-node)$"
_INLINE_OPTIONS = frozenset(("-c", "-e", "-r", "-p", "-pe", "-ne", "--eval", "-", "eval"))
# Words before the command itself.
_WRAPPER, _OF_THE_WRAPPER = frozenset("timeout time nohup nice sudo env".split()), r"^-|^\d+[smh]?$"
_WORKTREE = r"^.*[\\/][\w.-]*worktrees?[\\/][^\\/]+"
_OF_THE_PROJECT = r"^[\\/]|^[._-]*worktrees?[\\/]"
_TEMPORARY = r"^(?:/private)?/(?:tmp|var/folders)(?:/|$)|[\\/]Temp(?:[\\/]|$)"
# The folder that a command changes into first, and a path with the letter of a drive.
_INTO = r"^\s*(?:cd|pushd|Set-Location)\s+[\"']?([\w./@\\:~-]+)[\"']?\s*(?:&&|;|\n)"
_DRIVE, _DRIVE_OF_SHELL = r"^([A-Za-z]):[\\/]", r"^/([A-Za-z])/"
_CONFIG_NAMES = (
    r"(?i)(?:^|/)(?:package\.json|tsconfig[\w.-]*\.json|pyproject\.toml|setup\.cfg|go\.mod|cargo\.toml|makefile|dockerfile"
    r"|docker-compose[\w.-]*\.ya?ml|\.env[\w.-]*|[\w.-]*config[\w.-]*\.(?:json|ya?ml|toml)|[\w.-]+\.config\.[cm]?[jt]s|mise\.toml"
    r"|\.golangci[\w.-]*|biome\.jsonc?|\.eslintrc[\w.]*|requirements[\w.-]*\.txt|[\w-]+\.tf|\.gitlab-ci\.yml|settings\.\w+)$"
    r"|(?:^|/)\.github/workflows/"
)
# What agents are told: skills, commands, rules. Their clients name these files or read them by themselves.
_INSTRUCTIONS = (
    r"(?:^|/)\.(?:claude|codex|cursor|gemini|opencode|agents?|windsurf|continue|clinerules|roo|kilocode|junie|copilot)/"
    r"|(?:^|/)(?:CLAUDE|AGENTS|GEMINI|SKILL)(?:\.\w+)?\.md$|(?:^|/)\.cursorrules$|(?:^|/)copilot-instructions\.md$"
)
_NO_CODE = (
    r"(?i)\.(?:mdx?|rst|adoc|txt|json|jsonc|ya?ml|toml|csv|lock|log|svg|png|html?|css|ini|cfg|env)$|(?:^|/)\.?[\w-]+$"
)
_MANIFEST = (
    r"(?i)(?:^|/)(?:package\.json|go\.mod|cargo\.toml|pyproject\.toml|requirements[\w.-]*\.txt|composer\.json|gemfile"
    r"|pom\.xml|[\w.-]+\.csproj)$"
)
_DOCUMENT = r"(?i)\.(?:mdx?|rst|adoc|txt)$|(?:^|/)\.\w+ignore$"


class Action(NamedTuple):
    """What a call did. `paths` are relative to the project; those outside are left out. `command` is what it ran."""

    kind: str
    paths: tuple[str, ...] = ()
    pattern: str = ""
    command: str = ""
    # For a tool that drives a browser: its name, and what it was used on.
    browser: str = ""
    target: str = ""
    # The message of a commit that the command makes.
    message: str = ""
    # The files that the command removes.
    removed: tuple[str, ...] = ()
    # The folder of the project that the command runs in; empty for its root.
    folder: str = ""
    # The files that the command prints: some agents read them in no other way.
    read: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The commands without what differs from call to call, such as `mise run lint`; none for those that look."""
        return command_keys(self.command) if self.command else ()


def action_of(tool: str, args: Mapping[str, Any], root: str, folder: str = "") -> Action:
    """The action of a tool call in the project with that root. `folder` is where the agent works, if it is another."""
    shape = shape_of(tool, args)
    folder = _joined(folder, str(args.get("workdir") or ""))
    root = _worktree_of(folder, root) or root
    paths = tuple(_inside(shape.paths, folder, root))
    command = next((str(args[name]) for name in ("command", "cmd", "script") if args.get(name)), "")
    command = command[:_MOST_EXAMINED] if shape.kind == RUN else ""
    removed: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    if command:
        folder = _joined(folder, folder_of(command))
        paths = tuple(_inside(_changed_by(command), folder, root))
        removed = tuple(_inside(_named_after(_REMOVES, command), folder, root))
        read = tuple(dict.fromkeys(_inside(_named_after(_PRINTS, command), folder, root)))
    about = (tool, target_of(args)) if drives_browser(tool) else ("", "")
    pattern = shape.pattern if shape.kind == SEARCH else ""
    message = commit_message(command) if "git commit" in command else ""
    place = inside_project(folder, root) or "" if command and folder else ""
    return Action(shape.kind, paths, pattern, command[:_LONGEST_COMMAND], *about, message, removed, place, read)


def _changed_by(command: str) -> Iterator[str]:
    """The files that a command changes, or stages for a commit: they were changed in this session."""
    command = compiled(_CONTINUED).sub(" ", command)
    yield from _named_after(_CHANGES, command)
    # What follows a here-document is text, which may contain the same signs.
    written = compiled(_WRITES_TO).findall(command.split("<<", 1)[0])
    yield from (word for word in written if compiled(_FILE_NAME).search(word))


def _named_after(program: str, command: str) -> Iterator[str]:
    """The files that a command names after one of these programs."""
    for found in compiled(program).finditer(command):
        named = compiled(_NEXT_COMMAND).split(command[found.end() :], maxsplit=1)[0].split()
        yield from (word.strip("\"'") for word in named if compiled(_FILE_NAME).search(word))


def _inside(words: Iterable[str], folder: str, root: str) -> Iterator[str]:
    """The paths in the project that words mean in a folder."""
    yield from (path for word in words if (path := inside_project(_joined(folder, word), root)))


def folder_of(command: str) -> str:
    """The folder that a command changes into before it does anything else; empty if it stays."""
    found = compiled(_INTO).match(command)
    return found[1] if found else ""


def _joined(folder: str, path: str) -> str:
    is_whole = not folder or os.path.isabs(path) or path.startswith("~") or compiled(_DRIVE).match(path)
    return path if is_whole else f"{folder.rstrip('/')}/{path}" if path else folder


def root_of(folder: str, root: str) -> str:
    """The root of the project for an agent that works in a folder: the known one, if that is inside it.

    A worktree of the project has a root of its own. A folder for temporary files is never the project.
    """
    found = compiled(_WORKTREE).match(folder)
    if found and not root.startswith(found[0]):
        return found[0]
    if not root or not folder:
        return folder or root
    is_inside = folder == root or inside_project(folder, root) is not None
    return root if is_inside or compiled(_TEMPORARY).search(folder) else folder


def _worktree_of(folder: str, root: str) -> str:
    """The worktree that a folder is in, if it is inside the project, or beside it with the project's name."""
    found = compiled(_WORKTREE).match(folder) if root and folder.startswith(root) else None
    return found[0] if found and compiled(_OF_THE_PROJECT).match(found[0][len(root) :]) else ""


def inside_project(path: str, root: str) -> str | None:
    """The path relative to the project; None outside it. A relative path is relative to the project already.

    Sessions of Windows may be read on another system: their paths get forward slashes.
    """
    if "\0" in path or path.startswith("~"):
        return None
    if root[1:2] == ":":
        full, start = (_without_drive(one) for one in (path, root))
        inside: str | None = posixpath.relpath(posixpath.join(start, full), start)
    elif os.sep == "/" and compiled(_DRIVE).match(path):
        return None
    else:
        path = path.replace("\\", "/")
        inside = relative(path, root) if root else (None if os.path.isabs(path) else os.path.normpath(path))
    found = str(inside).replace(os.sep, "/")
    return None if inside in (None, ".") or found.startswith(("..", ".git/")) else found


def _without_drive(path: str) -> str:
    """A path of Windows, or of a shell on it, with forward slashes: `D:\\shop` and `/d/shop` are `/d/shop`."""
    found = compiled(_DRIVE).match(path) or compiled(_DRIVE_OF_SHELL).match(path)
    return (f"/{found[1].lower()}/{path[found.end() :]}" if found else path).replace("\\", "/")


def command_key(command: str) -> str:
    """The beginning of a command that stays the same from call to call; empty for one that only looks."""
    first = compiled(_NEXT_COMMAND).split(command.strip(), maxsplit=2)
    # "cd folder && command": the folder is no command.
    words = next((part.split() for part in first if part.split() and part.split()[0] != "cd"), [])
    words = [word for word in words if "=" not in word.split("/")[0] or word.startswith("-")]
    if words and words[0] in _WRAPPER:
        words = list(dropwhile(compiled(_OF_THE_WRAPPER).search, words[1:]))
    if not words or _says_little(words):
        return ""
    kept = [os.path.basename(words[0])]
    for word in words[1:_COMMAND_WORDS]:
        is_script = len(kept) == 1 and compiled(_INTERPRETER).match(kept[0]) and compiled(_FILE_NAME).search(word)
        if compiled(_CHANGING).search(word) and word not in ("./...",) and not is_script:
            # An option says nothing without its value.
            return " ".join(kept[:-1] if len(kept) > 1 and kept[-1].startswith("-") else kept)
        kept.append(word)
    return " ".join(kept)


def _says_little(words: list[str]) -> bool:
    """Does a command only look, or run code that was written for the moment?"""
    if words[0] in _LOOKING or words[0] == "gh" or compiled(_OF_THE_SHELL).search(words[0]):
        return True
    if words[0] == "git":
        return words[1:2] != ["commit"]
    names = [os.path.basename(word) for word in words]
    return any(
        compiled(_INTERPRETER).match(name) and (then in _INLINE_OPTIONS or os.path.isabs(then))
        for name, then in zip_longest(names, words[1:], fillvalue="-")
    )


def command_keys(command: str) -> tuple[str, ...]:
    """The keys of a command and of the checks that follow it: `make fmt && make lint` are two."""
    first = command_key(command)
    # Quoted texts and here-documents may contain the same signs.
    plain = compiled(_QUOTED).sub('""', command.split("<<", 1)[0])
    following = (command_key(part) for part in compiled(_THEN).split(plain)[1:_MOST_CHAINED])
    return tuple(dict.fromkeys(filter(None, (first, *(key for key in following if is_check(key))))))


def form_that_runs(program: str, command: str) -> str:
    """The words with which a command runs a program: `/opt/bin/go`, `python3` or `uv run python`; empty if it does not.

    The folder that the command adds to PATH belongs to them.
    """
    name = rf"(?:[\w.~/-]*/)?{re.escape(program)}[\d.]*"
    found = re.search(rf"(?:^|[;&|(\n])\s*(?:\w+=\S+\s+)*((?:(?:uv|poetry|pipenv|pdm|mise|npx|pnpm|bun|yarn)\s+"
                      rf"(?:(?:run|exec|x|dlx|--)\s+)*)?{name})(?=\s|$)", command)  # fmt: skip
    path = compiled(r"(?<!\w)PATH=\S+").search(command)
    if found is None:
        return ""
    return f"{path[0]} {found[1]}" if path and found[1] == program else found[1]


def is_test(key: str) -> bool:
    """Does a command run tests?"""
    return any(word in _TEST_WORDS or word.startswith("test:") for word in key.split())


def is_check(key: str) -> bool:
    """Does a command run tests, a linter, a type checker, a formatter or a build?"""
    return is_test(key) or any(part in _CHECK_WORDS for word in key.split() for part in (word, word.partition(":")[0]))


def is_config(path: str) -> bool:
    """Is it a file that configures the project?"""
    return compiled(_CONFIG_NAMES).search(path) is not None


def is_instruction(path: str) -> bool:
    """Is it a file that tells agents how to work, such as a skill?"""
    return compiled(_INSTRUCTIONS).search(path) is not None


def is_manifest(path: str) -> bool:
    """Does it list what the project depends on? It changes with each new dependency, whichever file uses that."""
    return compiled(_MANIFEST).search(path) is not None


def is_code(path: str) -> bool:
    """Is it a file of source code, by its name?"""
    return compiled(_NO_CODE).search(path) is None


def is_document(path: str) -> bool:
    """Is it a text for people, or a list of ignored files?"""
    return compiled(_DOCUMENT).search(path) is not None
