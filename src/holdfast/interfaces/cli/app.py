"""Builds the click commands from the table: shared options, translated help and one-line errors."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click

from holdfast.core.errors import HoldfastError, InvalidInput, NotFound
from holdfast.interfaces.cli.command_table import COMMANDS, HELP, OPTIONS, help_of, module_of, root_help
from holdfast.interfaces.cli.terminal import clean, fold, wrap
from holdfast.interfaces.language import LANGUAGES, chosen, translate, translate_count

if TYPE_CHECKING:
    from holdfast.core.reason import Reason
    from holdfast.workspace import Workspace

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
_FAILED, _USAGE = 1, 2
_commands: dict[str, click.Command] = {}


class CommandOptions:
    """The options allowed before or after the command; if an option is given twice, the later one wins."""

    def __init__(self) -> None:
        self.db: str | None = None
        self.project: str | None = None
        self.json = False

    def open(self, *, create: bool = False, create_project: bool = False, background: bool | None = None) -> Workspace:
        """Opens the workspace that the options name; use it in a `with` statement.

        Without `create`, a database named with --db must exist: a mistyped name should not make an empty one. The same
        holds for the name of a project and `create_project`. `background` is the setting, unless it is None.
        """
        from holdfast import workspace

        if self.db and not create and not workspace.exists(self.db):
            raise NotFound(f"database {self.db}", hint=f"Check --db, or make it: holdfast --db {self.db} init")
        ws = workspace.open(db=self.db, project=self.project, create_project=create_project, background=background)
        try:
            self._finish_erasures(ws)
        except BaseException:  # Also when the person interrupts: whoever opens closes.
            ws.close()
            raise
        return ws

    def _finish_erasures(self, ws: Workspace) -> None:
        """Goes on with an erasure that was killed, and says so. A failure is no reason to refuse the command."""
        try:
            report = ws.resume_erasures()
        except HoldfastError as error:
            print_error(translate("An erasure is not finished yet ({error}).", error=f"{error.what}: {error.detail}"))
            return
        if report is not None and report.is_finished:
            print_error(
                translate_count(
                    len(report.memories),
                    "Finished the erasure of {n} memory, which was interrupted.",
                    "Finished the erasure of {n} memories, which was interrupted.",
                )
            )
        elif report is not None:
            what = ", ".join(report.unfinished) or translate("another process is reading the database")
            print_error(translate("An erasure is not finished yet ({error}).", error=what))

    def salvage(self) -> tuple[Reason, ...]:
        """Replaces the database by what can be read of it, if it is damaged; returns what was done."""
        from holdfast import workspace

        return workspace.salvage(self.db)

    def print_result(self, value: object, as_text: Callable[[], str]) -> None:
        """Prints a result, as JSON with --json, else as text, whose lines fit on the screen."""
        if self.json:
            from holdfast.interfaces.json_values import json_text

            print_text(json_text(value))
        else:
            print_text(fold(as_text()))


class OutputError(OSError):
    """Standard output cannot be written, for example because the disk is full."""


def print_text(text: str) -> None:
    """Prints a text with one line break at its end; prints nothing if it is empty."""
    if text:
        print_part(text.rstrip("\n") + "\n")


def print_part(text: str) -> None:
    """Prints a text as it is."""
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(*error.args) from error


def print_error(message: str) -> None:
    """Prints an error: one line, or on a terminal as many as it needs."""
    text = f"holdfast: {clean(message)}"
    sys.stderr.write((wrap(text) if sys.stderr.isatty() else text) + "\n")


def command(
    name: str, *, help: str | None = None, group: click.Group | None = None, **settings: Any
) -> Callable[[Callable[..., int | None]], click.Command]:
    """Makes a function a command. It is called with the `CommandOptions` first, then with its own parameters.

    The setting `more` returns a text that is added to the end of the command's help.
    """

    def make(function: Callable[..., int | None]) -> click.Command:
        made = click.command(name, cls=_Command, help=help or help_of(name), **settings)(click.pass_obj(function))
        if group is None:
            _commands[name] = made
        else:
            group.add_command(made)
        return made

    return make


def group(name: str, default: str | None = None) -> click.Group:
    """Makes a command with subcommands; `default` is the subcommand used if none is named."""
    made = _Group(name, help=help_of(name), no_args_is_help=False)
    made.default_command = default
    _commands[name] = made
    return made


def option(*names: str, help: str, **settings: Any) -> Callable[[Decorated], Decorated]:
    """Adds an option whose help is translated."""
    return click.option(*names, cls=_Option, help=help, **settings)


def call(argv: list[str]) -> int:
    """Runs a command line and returns its exit code; an error is printed as one line on standard error."""
    try:
        if instruction := os.environ.get("_HOLDFAST_COMPLETE"):
            from click.shell_completion import shell_complete

            return shell_complete(_root, {}, "holdfast", "_HOLDFAST_COMPLETE", instruction)
        with _root.make_context("holdfast", _readable(argv)) as context:
            return _root.invoke(context) or 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        return _fail(_usage_line(error), error.exit_code)
    except HoldfastError as error:
        return _fail(_error_line(error), _USAGE if isinstance(error, InvalidInput) else _FAILED)
    except (BrokenPipeError, OutputError):
        raise
    except Exception as error:  # Catch everything: the last place that can turn an error into a readable line.
        if os.environ.get("HOLDFAST_TRACEBACK"):
            raise
        return _fail(_internal_error(error), _FAILED)


def _readable(argv: list[str]) -> list[str]:
    for word in argv:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise InvalidInput(f"{clean(word)!r} is not UTF-8", hint="Write it as UTF-8, or pipe it in.") from None
    return list(argv)


def _fail(message: str, code: int) -> int:
    print_error(message)
    return code


def _error_line(error: HoldfastError) -> str:
    if chosen() == "en":
        return str(error)
    from holdfast.interfaces.cli.error_texts import text_of_error

    return text_of_error(error)


def _usage_line(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "holdfast"
    message = error.format_message()
    if context and isinstance(context.command, click.Group) and message == "Missing command.":
        names = ", ".join(context.command.list_commands(context))
        message = f"{translate('Missing command.')} {translate('Use one of: {values}.', values=names)}"
    elif chosen() != "en":
        from holdfast.interfaces.cli.error_texts import text_of_mistake

        message = text_of_mistake(message)
    return (
        message + (" " if message.endswith((".", "?")) else ". ") + translate("See `{command} --help`.", command=path)
    )


def _internal_error(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{translate('The disk is full.')} {translate('Free some disk space and try again.')}"
    what = f"{type(error).__name__}: {error}"
    return translate("Internal error ({what}). Please report it; HOLDFAST_TRACEBACK=1 shows the traceback.", what=what)


def _unknown_command(name: str, known: list[str]) -> str:
    from holdfast.core.suggestion import suggestion

    same = (other for other in _OTHER_NAMES.get(name, ()) if other.startswith("-") or other.split()[0] in known)
    meant = next(same, None) or suggestion(name, known)
    if meant is None:
        return translate("There is no command {name}.", name=repr(name))
    return translate("There is no command {name}; did you mean {meant}?", name=repr(name), meant=repr(meant))


# What other programs call a command.
_OTHER_NAMES = {
    **dict.fromkeys(("add", "store", "save", "learn"), ("remember", "entity add")),
    **dict.fromkeys(("find", "query", "ask", "recall"), ("search",)),
    **dict.fromkeys(("delete", "remove", "rm"), ("forget",)),
    **dict.fromkeys(("erase", "purge", "wipe"), ("forget --erase",)),
    **dict.fromkeys(("edit", "update", "change"), ("correct", "memory edit")),
    **dict.fromkeys(("status", "info"), ("stats",)),
    **dict.fromkeys(("settings", "set"), ("config",)),
    **dict.fromkeys(("backup", "dump"), ("export",)),
    **dict.fromkeys(("serve", "server"), ("mcp",)),
    **dict.fromkeys(("check", "verify"), ("doctor", "validate")),
    "load": ("import",),
    "install": ("connect",),
    "ls": ("list",),
    "get": ("show",),
    "review": ("list --review",),
    "setup": ("init",),
    "help": ("--help",),
    "version": ("--version",),
}


class _Option(click.Option):
    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        if record is None:
            return None
        default = " " + translate("[default: {value}]", value=self.default) if self.show_default else ""
        return record[0], translate(self.help or "") + default


class _TranslatedCommand(click.Command):
    """A command with translated help and the shared options."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        settings["params"] = [*(settings.get("params") or ()), *_options(), _help_option()]
        settings["add_help_option"] = False
        super().__init__(*arguments, **settings)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx)).replace("[OPTIONS]", translate("[OPTIONS]"))
        formatter.write_usage(ctx.command_path, pieces, prefix=translate("Usage: "))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(translate(self.help or ""))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        records = [record for option in options if (record := option.get_help_record(ctx))]
        _list(formatter, translate("Options:"), records)


class _Command(_TranslatedCommand):
    def __init__(self, *arguments: Any, more: Callable[[], str] | None = None, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._more = more

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from holdfast.interfaces.cli.examples import examples_of

        if examples := examples_of(ctx.command_path.partition(" ")[2]):
            formatter.write("\n" + translate("Examples:") + "\n" + "".join(f"  {line}\n" for line in examples))
        if self._more is not None:
            formatter.write(
                "\n" + "\n".join(_wrapped(line, formatter.width) for line in self._more().split("\n")) + "\n"
            )


def _wrapped(line: str, width: int) -> str:
    """Breaks a long line of text between words; the beginning of each new line is indented like the first."""
    if len(line) <= width:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return click.wrap_text(line.strip(), width, indent, indent)


class _Group(_TranslatedCommand, click.Group):
    default_command: str | None = None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None:
            if not self.default_command:
                raise click.UsageError(_unknown_command(args[0], self.list_commands(ctx)), ctx)
            args = [self.default_command, *args]
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        _list(
            formatter,
            translate("Commands:"),
            [(name, translate(command.help or "")) for name, command in commands if command],
        )
        super().format_options(ctx, formatter)


class _Root(_Group):
    """All commands; the module of a command is imported when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, _, _ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = module_of(cmd_name)
        if module is not None:
            import_module(f"holdfast.interfaces.cli.{module}")
        return _commands.get(cmd_name)

    def get_help(self, ctx: click.Context) -> str:
        return root_help()


def _list(formatter: click.HelpFormatter, title: str, records: list[tuple[str, str]]) -> None:
    formatter.write_paragraph()
    formatter.write(f"{title}\n")
    with formatter.indentation():
        formatter.write_dl(records)


def _help_option() -> click.Option:
    """Returns our own help option: click's would load its own translations first, which takes longer than parsing."""
    names = HELP[0].split(", ")
    settings: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False}
    return _Option(names, help=HELP[2], callback=_show_help, **settings)


def _show_help(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(context.get_help())
        context.exit()


def _options() -> list[click.Parameter]:
    made: list[click.Parameter] = []
    for name, takes, help in OPTIONS:
        of_type = click.Choice(LANGUAGES) if name == "--lang" else None
        settings: dict[str, Any] = {"metavar": takes, "type": of_type} if takes else {"is_flag": True}
        made.append(_Option([name], help=help, expose_value=False, callback=_store_option, **settings))
    return made


def _store_option(ctx: click.Context, param: click.Parameter, value: object) -> None:
    options = ctx.ensure_object(CommandOptions)
    if value and hasattr(options, str(param.name)):
        setattr(options, str(param.name), value)


_root = _Root("holdfast")
