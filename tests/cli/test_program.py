"""The program in its own process: pipes, terminals and imports."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.interfaces.cli.terminal import width
from tests.models.own_files import write_model

pytestmark = pytest.mark.program

_HOLDFAST = [sys.executable, "-m", "holdfast"]
_HOSTILE = "Tides \x1b]0;owned\x07 turn \x1b[2J\x9b31m twice [red]a[/red] day \u202e backwards."


def program(*argv, **settings):
    return subprocess.run([*_HOLDFAST, *argv], capture_output=True, check=False, **settings)


@pytest.mark.parametrize("argv", [["--help"], ["--version"], []])
def test_help_and_version_import_next_to_nothing(world, argv):
    heavy = (
        "click rich dataclasses inspect pathlib json sqlite3 numpy holdfast.core.settings holdfast.workspace".split()
    )
    code = f"import sys; from holdfast.interfaces.cli.main import run; run({argv!r}); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout.split()
    assert "holdfast.interfaces.cli.command_table" in loaded
    assert [name for name in heavy if name in loaded] == []


_MODEL_LIBRARIES = "numpy onnxruntime tokenizers httpx".split()
_SLOW = "pathlib hashlib subprocess random socket asyncio logging rich textwrap locale calendar argparse".split()
_UNUSED = {
    "remember": ["holdfast.core.document", "holdfast.recall.recaller"],
    "search": [
        "holdfast.core.document", "holdfast.core.entity", "holdfast.core.admission", "holdfast.models.choice",
        "holdfast.models.transformer", "holdfast.recall.search.time_modes", "holdfast.store.vectors.vector_index",
        "holdfast.upkeep", "holdfast.intake.admit", "holdfast.interfaces.cli.explain", *_SLOW,
    ],
    "context": ["holdfast.models.choice", "holdfast.models.transformer", "holdfast.store.vectors.vector_index", *_SLOW],
    "list": ["holdfast.models.chosen_models", "holdfast.recall.recaller", *_SLOW],
}  # fmt: skip


def loaded_by(model: Path, *argv: str) -> list[str]:
    """The modules that a command has imported when it ends, with that folder as our embedding model."""
    code = (
        f"import sys; from holdfast.models import own_model; own_model.OWN = {str(model)!r};"
        f"from holdfast.interfaces.cli.main import run; code = run({list(argv)!r});"
        "print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stderr.split()


@pytest.mark.parametrize("command", _UNUSED)
def test_a_command_imports_no_model_library_and_little_else(holdfast, monkeypatch, tmp_path, command):
    # A search loads the model of the settings.
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "none" if command in ("search", "context") else "auto")
    monkeypatch.setenv("HOLDFAST_BACKGROUND", "off")
    model = write_model(tmp_path / "own")
    loaded_by(model, "remember", "Tides turn twice a day.")
    # A memory near a known one is read together with it, which needs the model.
    text = {"list": [], "remember": ["Lemons ripen in winter."]}.get(command, ["when do tides turn"])
    loaded = loaded_by(model, command, *text)
    assert "holdfast.workspace" in loaded
    assert [name for name in (*_MODEL_LIBRARIES, *_UNUSED[command]) if name in loaded] == []


def test_the_exit_code_is_the_process_s(world):
    assert program("list").returncode == 0
    refused = program("remember", "ok")
    assert (refused.returncode, refused.stderr.count(b"\n")) == (1, 1)
    assert program("dance").returncode == 2


def test_arguments_that_are_not_utf8(world):
    ran = subprocess.run([*_HOLDFAST, "remember", b"tides \xff turn"], capture_output=True, check=False)
    assert ran.returncode == 2
    assert b"not UTF-8" in ran.stderr


def test_a_closed_pipe_is_quiet(world):
    lines = "".join(f"buoy{n} drifts{n} rock{n} tide{n} gull{n}\n" for n in range(200))
    assert program("remember", "--lines", input=lines.encode()).returncode == 0
    process = subprocess.Popen(
        [*_HOLDFAST, "list", "--limit", "200", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


def test_a_stream_that_knows_only_ascii(holdfast):
    holdfast("remember", "Le varech tient à la roche.")
    ran = program("search", "varech", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert ran.returncode == 0
    assert b"Le varech tient ? la roche." in ran.stdout


def test_nothing_is_coloured_when_piped(holdfast):
    holdfast("remember", "Tides turn twice a day.")
    for argv in (["search", "tides"], ["list"], ["stats"], ["doctor"], ["init"]):
        assert b"\x1b" not in program(*argv).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    "argv",
    [["search", "tides"], ["search", "tides", "--explain"], ["list"], ["show"], ["context", "tides"],
     ["search", "tides", "--json"], ["export"], ["export", "--format", "markdown"]],
)  # fmt: skip
def test_a_hostile_memory_cannot_command_the_terminal(holdfast, argv):
    stored = holdfast("remember", "-", stdin=_HOSTILE.encode()).out
    if argv == ["show"]:
        argv = ["show", stored.split()[1].rstrip(":")]
    seen = _on_a_terminal(argv)
    assert "Tides" in seen
    assert "[red]a[/red]" in seen
    for hostile in ("\x1b]", "\x1b[2J", "\x07", "\x9b", "\u202e"):
        assert hostile not in seen


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_colour_unless_it_does_not_want_it(holdfast):
    holdfast("remember", "Tides turn twice a day, and " + "on and " * 40 + "on.")
    seen = _on_a_terminal(["search", "tides"])
    assert "\x1b[" in seen
    assert "\x1b[32msure\x1b[0m" in seen
    assert "…" in seen
    assert "\x1b" not in _on_a_terminal(["search", "tides"], NO_COLOR="1")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_upkeep_shows_its_progress_on_a_terminal(world):
    program("remember", "Tides turn twice a day.", env={**os.environ, "HOLDFAST_EMBEDDER": "fake"})
    seen = _on_a_terminal(["upkeep"], HOLDFAST_EMBEDDER="fake")
    assert "background jobs" in seen
    assert "embedded 1" in seen


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_learning_from_conversations_shows_that_it_works(world):
    program("init")
    assert "learning from conversations" in _on_a_terminal(["consolidate"])
    assert "importing conversations" in _on_a_terminal(["session", "import", "."])
    assert "learning from sessions" in _on_a_terminal(["observe", "."])


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_progress_bar_fits_eighty_columns_and_is_erased(world):
    code = (
        "from holdfast.interfaces.cli.progress_bar import progress_bar\n"
        "from holdfast.interfaces.language import choose; choose('fr', {})\n"
        "with progress_bar('indexing') as draw:\n"
        "    for done in (0, 1, 1_234_567, 2_345_678):\n"
        "        draw('a/rather/long/folder/of/files/été/潮の満ち引き.md', done, 2_345_678)\n"
        "print('Indexed.')"
    )
    seen = _on_a_terminal(["-c", code], program=[sys.executable])
    *frames, end = seen.split("\r\x1b[2K\x1b[?25h")
    assert "2 345 678" in seen.replace("\u202f", " ").replace("\xa0", " ")
    drawn = [re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", line) for frame in frames for line in frame.split("\r")]
    assert max(width(line) for line in drawn) <= 80
    assert end.split() == ["Indexed."]


def _on_a_terminal(argv, program=_HOLDFAST, **environment):
    """Returns the output of the program when both its streams are a terminal."""
    import pty

    ours, theirs = pty.openpty()
    settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **environment}
    process = subprocess.Popen([*program, *argv], stdin=theirs, stdout=theirs, stderr=theirs, env=settings)
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux reports the closed other side like this.
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    assert process.wait() == 0
    return seen.decode()


# Runs the program with the placeholder model of the tests; says at the end whether numpy was imported.
_WITH_MODEL = """
import atexit, sys
import holdfast.models.own_model as own
own.OWN = sys.argv.pop(1)
atexit.register(lambda: print("numpy" if "numpy" in sys.modules else "no numpy", file=sys.stderr))
from holdfast.interfaces.cli.main import main
main()
"""


def test_a_memory_is_found_by_meaning_at_once_without_background_work(tmp_path: Path) -> None:
    from tests.models.own_files import write_model

    command = [sys.executable, "-c", _WITH_MODEL, str(write_model(tmp_path / "model"))]
    given = {"HOLDFAST_EMBEDDER": "static", "HOLDFAST_BACKGROUND": "0", "HOLDFAST_DB": str(tmp_path / "m.db")}

    def run(*argv: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, *argv], env={**os.environ, **given}, cwd=tmp_path, capture_output=True, check=True, text=True
        )

    stored = run("remember", "The kettle whistles at five")
    run("remember", "Invoices are archived in March")
    assert stored.stderr.split("\n")[-2] == "no numpy"
    found = json.loads(run("search", "whistling kettle", "--recipe", "vector", "--json").stdout)
    assert found["hits"][0]["memory"]["content"] == "The kettle whistles at five"
    stats = json.loads(run("stats", "--json").stdout)
    assert (stats["vectors"], stats["waiting"], stats["improvable"]) == ({"static": 2}, 0, 0)
    assert "static 2" in run("stats").stdout
    french = subprocess.run(
        [*command, "stats"], env={**os.environ, **given, "HOLDFAST_LANGUAGE": "fr"}, cwd=tmp_path, capture_output=True,
        check=True, text=True,
    )  # fmt: skip
    assert "statique 2" in french.stdout


def test_a_closed_output_and_a_deleted_working_directory(tmp_path: Path) -> None:
    program = f"{sys.executable} -P -m holdfast --db {tmp_path / 'm.db'}"
    environment = {**os.environ, "HOME": str(tmp_path), "HOLDFAST_BACKGROUND": "off"}

    def run(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=environment, cwd=tmp_path)

    assert run(f"{program} init").returncode == 0
    closed = run(f"{program} list >&-")
    assert (closed.returncode, closed.stderr) == (0, "")
    gone = run(f"mkdir gone; cd gone; rmdir ../gone; {program} list")
    assert gone.returncode == 1
    assert "the working directory was deleted" in gone.stderr


def test_an_interrupt_that_python_ignores_in_a_callback_ends_the_program(world):
    code = """
import sys, signal, weakref
from holdfast.interfaces.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job begins with interrupts ignored
def run(argv):
    held = set()
    gone = weakref.ref(held, lambda _: signal.raise_signal(signal.SIGINT))
    del held
    return 0
main.run = run
main.main()
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True)
    assert (ran.returncode, ran.stderr) == (-signal.SIGINT, "")


@pytest.mark.parametrize("argv", [["--help"], ["list"], ["config", "--all"], ["config", "--all", "--json"]])
def test_output_to_a_full_disk_is_an_error_of_one_line(world, argv):
    with open("/dev/full", "w") as full:
        ran = subprocess.run([*_HOLDFAST, *argv], stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert (ran.returncode, ran.stderr) == (1, "holdfast: The output cannot be written (No space left on device).\n")


@pytest.mark.parametrize(("environment", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "4"}, "4")])
def test_matrix_products_take_one_thread_unless_the_environment_says_otherwise(environment, threads):
    code = """
import os, sys
from holdfast.interfaces.cli.main import main
sys.argv = ["holdfast", "--version"]
try:
    main()
except SystemExit:
    print(os.environ["OPENBLAS_NUM_THREADS"])
"""
    settings = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**settings, **environment}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[-1] == threads
