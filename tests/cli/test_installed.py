"""An installed wheel, used outside the repository: what works in a clone only must work there too, or say so."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from holdfast.bench.run import BENCHES as ALL_BENCHES
from holdfast.interfaces.cli.command_table import COMMANDS

pytestmark = pytest.mark.program

ROOT = Path(__file__).parents[2]
# The smallest form of each benchmark that needs nothing but the installation.
BENCHES = {"store": "--quick", "startup": "--repeat 1"}
MOST_MEGABYTES = 62


class Installation:
    """An environment with the wheel, which takes the dependencies from the one that runs the tests."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project, self.bin = folder / "home", folder / "project", folder / "env" / "bin"
        self.home.mkdir()
        (self.project / "docs").mkdir(parents=True)
        (self.project / "docs" / "tides.md").write_text("# Tides\n\nThe staging database is reset at high tide.\n")
        self._call(sys.executable, "-m", "venv", "--without-pip", str(folder / "env"))
        self._call(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist"), cwd=ROOT)
        packages = Path(
            self._call(str(self.bin / "python"), "-c", "import sysconfig as s; print(s.get_path('purelib'))")
        )
        # As a path only: the file in that folder that makes the repository importable is not read.
        (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
        [self.wheel] = (folder / "dist").glob("*.whl")
        install = ("install", "-q", "--no-deps", "--no-index", "--no-compile", "--ignore-installed", str(self.wheel))
        self._call(sys.executable, "-m", "pip", "--python", str(self.bin / "python"), *install)

    def _call(self, *command: str, cwd: Path | None = None) -> str:
        done = subprocess.run(command, cwd=cwd or self.home, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def run(self, command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Runs a command line in the project, with nothing of the repository in the environment."""
        environment = {
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.home),
            "HOLDFAST_BACKGROUND": "no",
            "EDITOR": "true",
        }
        return subprocess.run(
            command, shell=True, cwd=self.project, env=environment, input=stdin, capture_output=True, text=True
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(tmp_path_factory.mktemp("installed"))


def test_nothing_comes_from_the_repository(installed: Installation) -> None:
    done = installed.run("python -c 'import holdfast; print(holdfast.__file__)'")
    assert str(installed.bin.parent) in done.stdout
    assert installed.run("python -c 'import training'").returncode == 1


def test_every_command_has_help(installed: Installation) -> None:
    for name, _, _ in COMMANDS:
        done = installed.run(f"holdfast {name} --help")
        assert (done.returncode, done.stdout.startswith("Usage: holdfast")) == (0, True), (name, done.stderr)


def test_code_is_indexed_and_asked_for(installed: Installation) -> None:
    (installed.project / "tides.py").write_text("def high() -> int:\n    return 7\n")
    (installed.project / "ferry.py").write_text("from tides import high\n\nLEAVES = high()\n")
    assert installed.run("holdfast index").returncode == 0
    assert "ferry.py" in installed.run("holdfast impact tides.py").stdout


def test_the_mcp_server_answers(installed: Installation) -> None:
    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client})
    answer = json.loads(installed.run("holdfast mcp", request + "\n").stdout.splitlines()[0])
    assert answer["result"]["serverInfo"]["name"] == "holdfast"


@pytest.mark.parametrize("page", ["README.md", "docs/quickstart.md"])
def test_the_commands_and_the_code_of_the_first_pages_run(installed: Installation, page: str) -> None:
    chats = installed.home / ".claude" / "projects" / "tidepool"
    chats.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "demo" / "chats.jsonl", chats)
    text = (ROOT / page).read_text(encoding="utf-8")
    commands = [
        line for block in _blocks(text, "console") for line in re.findall(r"^\$ (.*\bholdfast .*)", block, re.M)
    ]
    assert len(commands) > 3
    for command in commands:
        done = installed.run(command.replace(" ID", f" {_newest(installed)}") if " ID" in command else command)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
    for block in _blocks(text, "python"):
        done = installed.run("python -", block)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", BENCHES)
def test_a_small_benchmark_runs(installed: Installation, name: str) -> None:
    done = installed.run(f"holdfast bench {name} {BENCHES[name]}")
    assert done.returncode in (0, 1), done.stderr  # 1: slower than its budget.
    assert done.stdout.startswith(f"$ holdfast bench {name}"), done.stderr


@pytest.mark.parametrize("name", [bench.name for bench in ALL_BENCHES if bench.needs_clone])
def test_a_benchmark_with_data_says_that_it_needs_a_clone(installed: Installation, name: str) -> None:
    done = installed.run(f"holdfast bench {name}")
    assert done.returncode == 1
    assert "git clone --depth 1" in done.stderr
    assert "Internal error" not in done.stderr


def test_a_folder_of_the_project_is_not_taken_for_the_benchmarks(installed: Installation) -> None:
    (installed.project / "bench").mkdir(exist_ok=True)
    (installed.project / "bench" / "__main__.py").write_text("")
    (installed.project / "bench" / "scale.py").write_text("raise SystemExit('code of the project ran')")
    assert "git clone" in installed.run("holdfast bench scale").stderr


def test_every_benchmark_is_tried(installed: Installation) -> None:
    listed = re.findall(r"^    (\w+)\b", installed.run("holdfast bench").stdout, re.M)
    assert listed == [bench.name for bench in ALL_BENCHES]
    assert set(BENCHES) == {bench.name for bench in ALL_BENCHES if not bench.needs_clone}
    assert "in a clone of the repository only" in installed.run("holdfast bench store --write-docs").stderr


def test_the_wheel_has_no_data_of_benchmarks(installed: Installation) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = wheel.namelist()
    assert not [name for name in names if name.startswith(("bench/", "training/", "holdfast/carried"))]
    assert installed.wheel.stat().st_size < MOST_MEGABYTES * 1e6


def _blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def _newest(installed: Installation) -> str:
    """The id that a reader would copy: that of the memory about the package manager."""
    code = (
        "import holdfast\n"
        "with holdfast.open() as ws:\n"
        "    print(next(m for m in ws.list(include_forgotten=True, order='oldest') if 'pnpm' in m.content).id)"
    )
    return installed.run("python -", code).stdout.strip()
