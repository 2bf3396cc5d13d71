"""The commands hook, mcp, bench and completion."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from holdfast.interfaces.cli.app import CommandOptions, command, option, print_text
from holdfast.interfaces.cli.command_arguments import WholeNumber
from holdfast.interfaces.cli.terminal import wrap
from holdfast.interfaces.language import translate


@command("hook", more=lambda: translate("Agents call it; `holdfast doctor` shows failures."))
@click.argument("agent")
@click.argument("event", default="")
def hook(options: CommandOptions, agent: str, event: str) -> int:
    from holdfast.interfaces.hooks.hook_main import run

    return run([agent, event])


@command("mcp")
@option("--http", is_flag=True, help="Serve over HTTP instead of stdin and stdout; clients need a token.")
@option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="Listen on this address. The default accepts local clients only.",
)
@option(
    "--port",
    type=WholeNumber(0, 65535),
    default=7433,
    metavar="N",
    help="Listen on this port; 0 chooses a free one.",
)
def mcp(options: CommandOptions, http: bool, host: str, port: int) -> None:
    from holdfast.interfaces.mcp import server

    if not http:
        if sys.stdin is not None and sys.stdin.isatty():
            text = translate(
                "The server waits for a client on standard input. `holdfast connect AGENT` lets an agent start it; "
                "Ctrl+C ends it."
            )
            click.echo(wrap(text), err=True)
        server.serve(db=options.db, project=options.project)
        return
    from holdfast.interfaces.mcp.access_token import read_or_create
    from holdfast.system.platform_folders import data_folder

    file = Path(data_folder(os.environ)) / "mcp-token"
    token = read_or_create(file)

    def announce(address: str) -> None:
        text = translate("Listening on {address}; clients send the token in {file}.", address=address, file=file)
        click.echo(text, err=True)

    server.serve_http(options.db, options.project, host=host, port=port, token=token, ready=announce)


@command(
    "bench",
    more=lambda: translate("Without NAME, lists the benchmarks."),
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[NAME] [OPTIONS]...")
def bench(options: CommandOptions, arguments: tuple[str, ...]) -> int:
    from holdfast.bench.run import main

    json = ["--json"] if options.json else []
    return main([*arguments, *json] if arguments else ["--help"])


@command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")), metavar="bash|zsh|fish")
def completion(options: CommandOptions, shell: str) -> None:
    from click.shell_completion import get_completion_class

    maker = get_completion_class(shell)
    assert maker is not None, "click completes bash, zsh and fish"
    root = click.get_current_context().find_root().command
    print_text(maker(root, {}, "holdfast", "_HOLDFAST_COMPLETE").source())
