"""Every command: none opens a network socket or writes outside Holdfast's folders."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from holdfast.interfaces.cli.command_table import COMMANDS

pytestmark = pytest.mark.program

# ID stands for the id of the newest memory.
_LINES = """
init
remember 'The harbour crane is serviced by Priya every Tuesday' --file src/crane.py
remember 'The deploy key is ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'
search 'who services the crane' --explain
context 'service the crane'
show ID
list
entity list
release ID
correct ID 'The deploy key is kept by Tom'
confirm ID
flag ID 'seen twice'
outcome ID used --session s
pin ID
personal
forget ID
restore ID
undo --dry-run
undo
redo
log
index
related docs/crane.md
gc
validate
impact src/crane.py
deps src/crane.py
flow src/crane.py
modules
session import transcript.jsonl
consolidate
reflect
observe transcript.jsonl
prefetch 'fix the crane'
memory sync
export
import notes.md
stats
doctor --repair
upkeep
models list
models use bundled
projects
config daily_backups 1
connect claude-code --dry-run
hook claude-code SessionStart
mcp
completion bash
"""
_NOT_RUN = {"bench"}  # measures other programs too

# All commands run in one process with the bundled model, so that whatever a library starts late is seen as well.
_CHILD = """
import io, json, sys
import holdfast
from holdfast.interfaces.cli.main import run
sockets, codes = [], []
lines = json.load(sys.stdin)
def heard(event, values):
    if event.startswith("socket.") and event != "socket.gethostname":
        sockets.append(event)
sys.addaudithook(heard)
for argv in lines:
    if "ID" in argv:
        with holdfast.open(background=False) as ws:
            argv[argv.index("ID")] = ws.list(limit=1, include_forgotten=True)[0].id
    sys.stdin = io.TextIOWrapper(io.BytesIO(b'{"session_id": "s", "cwd": "."}'))
    codes.append([" ".join(argv), run(argv)])
open(sys.argv[1], "w").write(json.dumps([codes, sockets]))
"""
_WRITES = re.compile(
    r'(?:open(?:at)?2?\([^"]*"([^"]+)"[^)]*O_(?:WRONLY|RDWR|CREAT)'
    r'|(?:mkdir|unlink|rename|symlink|link|rmdir|creat|truncate|chmod)\w*\([^"]*"([^"]+)")'
)


class _Outcome(NamedTuple):
    codes: dict[str, int]
    sockets: list[str]
    trace: list[str]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a home and a project in it."""
    place = tmp_path_factory.mktemp("stays_home")
    for name in ("home", "project/src", "project/docs", "temporary"):
        (place / name).mkdir(parents=True)
    said = {"type": "user", "sessionId": "s1", "cwd": str(place / "project"), "timestamp": "2026-01-01T10:00:00Z"}
    message = {"role": "user", "content": "From now on always test the crane first."}
    project = place / "project"
    (project / "transcript.jsonl").write_text(json.dumps({**said, "message": message}) + "\n")
    (project / "src" / "crane.py").write_text("def lift(load):\n    return load\n")
    (project / "docs" / "crane.md").write_text("# Crane\n\nThe crane lifts ten tonnes.\n")
    (project / "notes.md").write_text("- The quay is closed on Sundays\n")
    return place


@pytest.fixture(scope="module")
def outcome(place: Path) -> _Outcome:
    own = ("PATH", "LANG", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
    environment = {name: os.environ[name] for name in own if name in os.environ}
    environment |= {"HOME": str(place / "home"), "TMPDIR": str(place / "temporary"), "HOLDFAST_BACKGROUND": "off"}
    command = [sys.executable, "-B", "-c", _CHILD, str(place / "result")]
    if shutil.which("strace"):
        kinds = "trace=network,open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,symlink,link"
        command = ["strace", "-f", "-qq", "-s", "4096", "-e", kinds, "-o", str(place / "trace"), *command]
    lines = [shlex.split(line) for line in _LINES.strip().splitlines()]
    ended = subprocess.run(
        command, cwd=place / "project", env=environment, input=json.dumps(lines),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    codes, sockets = json.loads((place / "result").read_text())
    trace = (place / "trace").read_text(errors="replace").splitlines() if (place / "trace").exists() else []
    return _Outcome(dict(codes), sockets, trace)


def test_every_command_was_run(outcome: _Outcome) -> None:
    assert {line.split()[0] for line in outcome.codes} == {name for name, _, _ in COMMANDS} - _NOT_RUN
    assert {line: code for line, code in outcome.codes.items() if code} == {}


def test_no_command_opens_a_network_socket(outcome: _Outcome) -> None:
    assert outcome.sockets == []
    connections = [line for line in outcome.trace if re.search(r"\b(socket|connect|sendto)\(", line)]
    assert [line for line in connections if "AF_UNIX" not in line] == []


def test_files_are_written_in_our_folders_only(place: Path, outcome: _Outcome) -> None:
    """The home folder is new: whatever a library keeps there would be seen."""
    ours = ("home/.local/share/holdfast", "home/.config/holdfast", "project/.holdfast")
    given = {"project/transcript.jsonl", "project/src/crane.py", "project/docs/crane.md", "project/notes.md"}
    found = {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}
    strange = {name for name in found - given - {"trace", "result"} if not name.startswith(ours)}
    assert strange == set()


def test_nothing_is_written_on_the_way_either(place: Path, outcome: _Outcome) -> None:
    """Files that were deleted again, and places outside the folders of the test."""
    if not outcome.trace:
        pytest.skip("strace is not installed")
    written = {a or b for line in outcome.trace for a, b in _WRITES.findall(line) if " = -1 " not in line}
    folders = (
        f"{place}/home",
        f"{place}/project/.holdfast",
        f"{place}/temporary",
        f"{place}/result",
        "/dev/",
        "/proc/self/",
    )
    assert {name for name in written if not name.startswith(folders)} == set()
