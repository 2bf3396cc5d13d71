"""The command init: sets up the project and offers what memory could begin with."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.interfaces.cli import confirmation as question
from holdfast.interfaces.cli.app import CommandOptions, command, option, print_text
from holdfast.interfaces.cli.connecting import connect_agent
from holdfast.interfaces.cli.progress_bar import progress_bar
from holdfast.interfaces.cli.terminal import clean, paint, screen_width, section, table, width, wrap
from holdfast.interfaces.language import translate, translate_count

if TYPE_CHECKING:
    from holdfast.system.project_description import ProjectDescription
    from holdfast.workspace import Workspace


@frozen
class SetupOffer:
    """Something that `init` offers: what it would do in words, the command for it, and the function.

    `then` is said after it was done; `next_command` is a next step for who does it later.
    """

    title: str
    command: str
    act: Callable[[], str]
    then: str = ""
    next_command: tuple[str, str] | None = None


@command("init")
@option("--yes", "-y", is_flag=True, help="Accept what is offered, without asking.")
def init(options: CommandOptions, yes: bool) -> None:
    with options.open(create=True, create_project=True) as ws:
        project = ws.init()
        with progress_bar(translate("looking at the project")):
            offers = [] if options.json and not yes else _offers(ws)
        options.print_result(project, lambda: _welcome(project, [] if yes or question.can_ask() else offers))
        if offers and (yes or (question.can_ask() and _agrees(offers))):
            _do(offers, quiet=options.json)


def _do(offers: Sequence[SetupOffer], quiet: bool) -> None:
    for offer in offers:
        done = offer.act()
        if not quiet:
            print_text(wrap(done))
    for then in {} if quiet else dict.fromkeys(offer.then for offer in offers if offer.then):
        print_text(wrap(then))


def _offers(ws: Workspace) -> list[SetupOffer]:
    found = ws.survey()
    offers: list[SetupOffer] = []
    if what := _indexable(found.documents, found.code):
        then = translate("`holdfast search QUESTION` finds what they say, `holdfast modules` the parts of the code.")
        offers.append(SetupOffer(translate("index {what}", what=what), "holdfast index", lambda: _index(ws), then))
    if found.instructions:
        paths = [os.path.join(ws.root, name) for name in found.instructions]
        names = ", ".join(map(clean, found.instructions))
        offers.append(
            SetupOffer(translate("import {what}", what=names), f"holdfast import {' '.join(found.instructions)}",
                       lambda: _import(ws, paths))
        )  # fmt: skip
    offers += [_sessions(ws, folder.program, folder.path, folder.sessions) for folder in found.sessions]
    return offers + _agents(ws, {folder.program for folder in found.sessions})


def _indexable(documents: int, code: int) -> str:
    texts = translate_count(documents, "{n} document", "{n} documents") if documents else ""
    files = translate_count(code, "{n} file of code", "{n} files of code") if code else ""
    return translate("{documents} and {code}", documents=texts, code=files) if texts and files else texts or files


def _sessions(ws: Workspace, program: str, path: str, count: int) -> SetupOffer:
    def act() -> str:
        with progress_bar(translate("importing conversations")):
            report = ws.import_transcript(path)
        with progress_bar(translate("learning from sessions")):
            ws.observe(path)
        messages = translate_count(report.messages, "{n} message stored", "{n} messages stored")
        return translate("{name}: {value}", name=program, value=f"{messages}.")

    then = translate(
        "Holdfast learns from the conversations in the background; `holdfast consolidate` waits for it and "
        "`holdfast list` shows what was learned."
    )
    sessions = translate_count(count, "{n} session", "{n} sessions") + f" ({program})"
    command = f"holdfast session import {clean(_below_home(path))}"
    learn = ("holdfast consolidate", translate("learn from the imported conversations"))
    return SetupOffer(translate("import {what}", what=sessions), command, act, then, learn)


def _below_home(path: str) -> str:
    """The path as a shell reads it, with `~` for the home folder, if it needs no quotes."""
    home = os.path.expanduser("~")
    short = f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path
    return short if shlex.quote(short[1:]) == short[1:] else shlex.quote(path)


def _agents(ws: Workspace, used: Collection[str]) -> list[SetupOffer]:
    """Offers to connect the programs whose command is on the path, and those that left sessions of this project."""
    from holdfast.agents.connectable import installed
    from holdfast.agents.programs import all_programs

    offers = []
    on_path = installed(os.environ)
    for program in filter(lambda program: program.edits, all_programs()):
        is_here = program in on_path or program.title in used
        if is_here and any(change.is_needed for change in connect_agent(ws.root, program, dry_run=True)):

            def act(program=program) -> str:  # type: ignore[no-untyped-def]  # binds the program of this turn
                connect_agent(ws.root, program)
                return translate("{agent} is connected; new sessions use memory.", agent=program.title)

            title = translate("connect {what}", what=program.title)
            offers.append(SetupOffer(title, f"holdfast connect {program.name}", act))
    return offers


def _index(ws: Workspace) -> str:
    with progress_bar(translate("indexing")) as progress:
        report = ws.index(progress=lambda done, total, path: progress(path, done, total))
    documents = translate_count(report.added, "{n} document indexed.", "{n} documents indexed.")
    files = report.code.added if report.code else 0
    code = translate_count(files, "{n} file of code indexed.", "{n} files of code indexed.")
    return f"{documents} {code}" if files else documents


def _import(ws: Workspace, paths: Sequence[str]) -> str:
    """Imports rules as unverified: they may be those of whoever wrote the repository, and yes was said to more."""
    stored = sum(file.counts.get("stored", 0) for file in ws.import_files(paths, trusted=False).files)
    return translate_count(stored, "{n} memory imported, unverified.", "{n} memories imported, unverified.")


def _agrees(offers: Sequence[SetupOffer]) -> bool:
    """Asks one question for all offers; Enter means yes."""
    titles = ", ".join(offer.title for offer in offers)
    return question.is_accepted(wrap(translate("Do this now: {titles}? [Y/n]", titles=titles)) + " ")


def _welcome(project: ProjectDescription, offers: Sequence[SetupOffer]) -> str:
    from holdfast.interfaces.messages import text_of

    facts = [
        (translate("folder"), clean(project.root)),
        (translate("identified by"), clean(text_of(project.recognised_by))),
        (translate("database"), clean(project.db)),
        (translate("memories"), str(project.memories)),
    ]
    following = [
        *((offer.command, offer.title) for offer in offers),
        ("holdfast remember --type decision TEXT", translate("store a memory")),
        ("holdfast search QUERY", translate("search memories")),
        ("holdfast doctor", translate("check that everything works")),
    ]
    following[len(offers) : len(offers)] = dict.fromkeys(filter(None, (offer.next_command for offer in offers)))
    here = section(translate("Project {name}", name=clean(project.name)), table(facts, styles=("dim",)))
    if os.path.realpath(project.root) == os.path.realpath(os.path.expanduser("~")):
        note = translate(
            "This is your home folder: all folders in it without Git share this memory. For a project, run "
            "`holdfast init` in its folder."
        )
        here += f"\n\n{paint(wrap(note), 'yellow')}"
    steps = section(translate("Next steps"), _steps(following))
    more = paint(translate("`holdfast init --yes` does what is offered."), "dim") if offers else ""
    return "\n\n".join(filter(None, (here, steps, more)))


def _steps(commands: Sequence[tuple[str, str]]) -> str:
    """Commands beside what they do or, where the screen is too narrow for both, below it."""
    available = screen_width()
    needed = 4 + max(width(command) for command, _ in commands) + max(width(title) for _, title in commands)
    if available is None or needed <= available:
        return table(commands, styles=("cyan",))
    return "\n".join(f"  {title}\n    {paint(command, 'cyan')}" for command, title in commands)
