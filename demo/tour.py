"""A tour of Holdfast on a sample project. It runs the real program, as you would."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

HERE = Path(__file__).parent
PROGRAM = Path(sys.executable).with_name("holdfast")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        tour = Tour(Path(folder))
        tour.prepare()
        for chapter in (
            beginning,
            finding,
            context,
            correcting,
            forgetting,
            secrets,
            learning,
            documents,
            code,
            agents,
            health,
        ):
            chapter(tour)
        tour.say("End of the tour. All its files were removed. To start in your own repository: holdfast init")
    return 0


def beginning(tour: Tour) -> None:
    tour.chapter("1. Initialise a project (identified by its git repository) and store memories")
    tour.say("`init` asks before it does anything more; Enter means yes.")
    tour.run("init")
    tour.run(
        "remember", "Refunds go back to the card, never as vouchers: finance decided it in March.", "--type", "decision"
    )
    tour.run(
        "remember", "The payment sandbox drops every tenth request on purpose; retry twice before you call it a bug.",
        "--type", "gotcha", "--file", "tidepool/payments.py",
    )  # fmt: skip
    tour.run(
        "remember", "A guided tour takes at most 12 guests.", "--type", "requirement", "--file", "tidepool/bookings.py"
    )
    tour.run("remember", "The team writes British English in every message a guest can read.", "--type", "preference")
    tour.say("A duplicate is not stored again; it confirms the existing memory:")
    tour.run("remember", "a guided tour takes at most 12 guests")


def finding(tour: Tour) -> None:
    tour.chapter("2. Search by words and by meaning; nothing is returned if no memory answers")
    tour.run("upkeep", "embed")
    tour.run("search", "can a customer get their money back?")
    tour.say(
        "--explain would show how each hit was found and scored. If no memory answers the query, nothing is returned:"
    )
    tour.run("search", "who won the chess championship in 1972?")


def context(tour: Tour) -> None:
    tour.chapter("3. Context for an agent: relevant memories with citations, within a token budget")
    tour.run(
        "context",
        "a test in tidepool/payments.py fails now and then, fix it",
        "--phase",
        "implement",
        "--budget",
        "300",
    )


def correcting(tour: Tour) -> None:
    tour.chapter("4. Correct a memory; the old version is kept, and the correction can be undone")
    wrong = tour.find("guided tour")
    tour.run(
        "correct", wrong, "A guided tour takes at most 14 guests since the new pool opened.", "--reason", "new pool"
    )
    tour.run("search", "how many guests fit on a tour?", "--limit", "1")
    tour.run("show", wrong)


def forgetting(tour: Tour) -> None:
    tour.chapter("5. Forget a memory, and undo the latest change")
    tour.run("forget", tour.find("British English"), "--reason", "we are not so strict any more")
    tour.run("list", "--type", "preference")
    tour.run("undo")
    tour.run("list", "--type", "preference")


def secrets(tour: Tour) -> None:
    tour.chapter("6. Secrets are removed before storing")
    token = "ghp_" + "R4nd0mL00k1ngButMadeUpF0rTh1sT0ur99"[:36].ljust(36, "x")
    tour.run("remember", f"The deploy bot logs in with {token} and pushes to main.")
    tour.run("search", "deploy bot", "--limit", "1")


def learning(tour: Tour) -> None:
    tour.chapter("7. Import conversations from another program and learn from them, without a language model")
    tour.run("session", "import", str(HERE / "chats.jsonl"))
    tour.run("consolidate")
    tour.say("The second chat changed a rule of the first. The old rule is kept but no longer used:")
    tour.run("search", "how soon must guests get a reply?", "--limit", "1")
    tour.say("The third chat answers this in other words:")
    tour.run("search", "how long are exports kept?", "--limit", "1")
    tour.say("MEMORY.md lists the memories; `holdfast memory edit` applies your changes:")
    tour.run("memory", "show")


def documents(tour: Tour) -> None:
    tour.chapter("8. Index the project's documents and code; a replaced decision ranks below its successor")
    tour.run("index")
    tour.run("search", "when are bookings exported?", "--mode", "keyword", "--limit", "2")


def code(tour: Tour) -> None:
    tour.chapter("9. See what a change of code affects: callers, tests to run, and what is remembered about it")
    tour.run("impact", "tidepool/payments.py:charge")
    tour.say("Where does its data come from, and where does it go?")
    tour.run("flow", "charge")


def agents(tour: Tour) -> None:
    tour.chapter("10. Two sessions of an agent: hooks bring what a file calls for; the second session knows the first")
    tour.play("sessions.py")
    tour.run("session", "show", "monday")
    tour.say("`holdfast connect claude-code` adds these hooks and the MCP server to an agent (docs/integrations).")


def health(tour: Tour) -> None:
    tour.chapter("11. Check that everything works")
    tour.run("doctor")


class Tour:
    """A copy of the sample project with its own database, and functions that print and run."""

    def __init__(self, folder: Path) -> None:
        self._begun = False
        self._project = folder / "tidepool"
        self._environment = {
            **os.environ,
            "HOLDFAST_DB": str(folder / "memory.db"),
            "XDG_DATA_HOME": str(folder / "data"),  # the log of failed hooks is there
            "HOLDFAST_SETTINGS": str(folder / "settings.toml"),
            "HOLDFAST_BACKGROUND": "0",
            "PYTHONIOENCODING": "utf-8",
        }

    def prepare(self) -> None:
        shutil.copytree(HERE / "tidepool", self._project)
        subprocess.run(["git", "init", "--quiet", "."], cwd=self._project, check=True)

    def chapter(self, title: str) -> None:
        """Begins a chapter; waits for the reader first, if there is one."""
        if self._begun and sys.stdin.isatty() and sys.stdout.isatty():
            input("\n[Enter] next chapter ")
        self._begun = True
        print("\n\n" + _wrapped(f"== {title}"), flush=True)

    def say(self, text: str) -> None:
        print("\n" + _wrapped(text), flush=True)

    def run(self, *arguments: str) -> None:
        """Prints a command and runs it. Status 1 (refused) is part of the tour; other failures end it."""
        print("\n" + _wrapped(f"$ holdfast {shlex.join(arguments)}", indent="    "), flush=True)
        done = subprocess.run([str(PROGRAM), *arguments], cwd=self._project, env=self._environment, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"holdfast {arguments[0]} ended with {done.returncode}")

    def play(self, script: str) -> None:
        """Runs a script of this folder on the project."""
        subprocess.run([sys.executable, str(HERE / script), str(self._project)], env=self._environment, check=True)

    def find(self, words: str) -> str:
        """The id of the first memory found with these words."""
        command = [str(PROGRAM), "search", words, "--limit", "1", "--json"]
        done = subprocess.run(
            command, cwd=self._project, env=self._environment, check=True, capture_output=True, text=True
        )
        return str(json.loads(done.stdout)["hits"][0]["memory"]["id"])[-8:]


def _wrapped(text: str, indent: str = "") -> str:
    """Breaks a text between words where the terminal ends."""
    if not sys.stdout.isatty():
        return text
    columns = shutil.get_terminal_size().columns
    return textwrap.fill(text, columns, subsequent_indent=indent, break_on_hyphens=False)


if __name__ == "__main__":
    sys.exit(main())
