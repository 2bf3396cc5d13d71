"""Claude's memory tool: against the SDK's own file tool, through its runner, and confined to its virtual folder."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast
from tests.adapters.conftest import adapter

anthropic_memory = adapter("anthropic_memory")

from anthropic import Anthropic  # noqa: E402
from anthropic.lib.tools import ToolError  # noqa: E402
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
PATH = st.sampled_from(
    ["/memories/a.md", "/memories/b/c.md", "/memories/b", "/memories/b/d/e.md", "/memories", "/etc/a"]
)
TEXT = st.sampled_from(["tea\n", "tea\ncake\ntea", "", "milk"])
TEA, LINE = st.just("tea"), st.integers(0, 3)
COMMAND = st.one_of(
    st.builds(lambda p, t: {"command": "create", "path": p, "file_text": t}, PATH, TEXT),
    st.builds(lambda p, a, b: {"command": "str_replace", "path": p, "old_str": a, "new_str": b}, PATH, TEA, TEXT),
    st.builds(lambda p, n, t: {"command": "insert", "path": p, "insert_line": n, "insert_text": t}, PATH, LINE, TEXT),
    st.builds(lambda p: {"command": "delete", "path": p}, PATH),
    st.builds(lambda a, b: {"command": "rename", "old_path": a, "new_path": b}, PATH, PATH),
    st.builds(lambda p: {"command": "view", "path": p, "view_range": None}, PATH),
)


def outcome(tool, command):
    """What the tool answers; of an error only that it is one, and of a listing only the paths."""
    try:
        said = tool.execute(SimpleNamespace(**command))
    except ToolError:
        return "error"
    except OSError:
        return "error"  # The SDK's own tool passes some errors of the file system on.
    if "up to 2 levels" in said:
        return sorted(line.partition("\t")[2].rstrip("/") for line in said.splitlines()[1:])
    return said


@settings(max_examples=60)
@given(commands=st.lists(COMMAND, max_size=8))
def test_it_answers_like_the_file_tool_of_the_sdk(commands, tmp_path_factory):
    theirs = BetaLocalFilesystemMemoryTool(str(tmp_path_factory.mktemp("files")))
    with holdfast.open(":memory:", "claude", embedder="none") as ws:
        ours = anthropic_memory.HoldfastMemoryTool(ws)
        for command in commands:
            inside_itself = command["command"] == "rename" and command["new_path"].startswith(command["old_path"])
            if inside_itself or (command["command"] == "delete" and not ws.items.under(("memory-files",))):
                continue  # A folder that became empty exists on a disk only.
            expected, given_ = outcome(theirs, command), outcome(ours, command)
            empty = isinstance(expected, list) and not ws.items.under(("memory-files",))
            assert given_ == expected or empty or ("error" in (given_, expected) and _empty_folder(theirs)), command


def _empty_folder(tool):
    return any(not names and not folders for _, folders, names in os.walk(tool.memory_root))


OUTSIDE = [
    "/etc/passwd",
    "memories/a",
    "/memories/../etc/passwd",
    "/memories/a/../../b",
    "/memoriesx/a",
    "/memories/..",
]


@pytest.mark.parametrize("path", [*OUTSIDE, "/memories/a\\b", "/memories/a\0b", "", "/"])
def test_no_path_leads_out_of_the_virtual_folder(ws, path):
    tool = anthropic_memory.HoldfastMemoryTool(ws)
    commands: list[dict[str, Any]] = [
        {"command": "create", "file_text": "x"},
        {"command": "view", "view_range": None},
        {"command": "delete"},
    ]
    for command in commands:
        with pytest.raises(ToolError):
            tool.execute(SimpleNamespace(path=path, **command))
    assert ws.items.under() == ()


def test_files_are_found_by_recall_and_secrets_are_left_out(ws, tmp_path):
    tool = anthropic_memory.HoldfastMemoryTool(ws)
    token = "ghp_" + "a1B2" * 9
    create = SimpleNamespace(
        command="create", path="/memories/tea.md", file_text=f"# Tea\n\nTea is at four. Token {token}\n"
    )
    tool.execute(create)
    view = tool.execute(SimpleNamespace(command="view", path="/memories/tea.md", view_range=[1, 1]))
    assert view == "Here's the content of /memories/tea.md with line numbers:\n     1\t# Tea"
    assert "Tea is at four" in ws.recall("when is tea?").hits[0].text
    assert token not in str(ws.items.under()) + str(ws.recall("token", abstain=False).hits)
    tool.clear_all_memory()
    assert ws.recall("when is tea?").hits == ()
    assert not list(tmp_path.rglob("tea.md"))


@contextmanager
def endpoint(steps) -> Iterator[tuple[str, list]]:
    """A model that makes one step per request."""
    asked: list = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_POST(self):
            asked.append(self.rfile.read(int(self.headers["content-length"])).decode())
            step = steps[min(len(asked), len(steps)) - 1]
            block = {"type": "text", "text": step} if isinstance(step, str) else {
                "type": "tool_use", "id": f"t{len(asked)}", "name": "memory", "input": step,
            }  # fmt: skip
            message = {
                "id": f"m{len(asked)}", "type": "message", "role": "assistant", "model": "scripted", "content": [block],
                "stop_reason": "end_turn" if isinstance(step, str) else "tool_use", "stop_sequence": None,
                "usage": {"input_tokens": 1, "output_tokens": 1},
            }  # fmt: skip
            data = json.dumps(message).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_runner_of_the_sdk_uses_it(ws):
    steps = [
        {"command": "view", "path": "/memories"},
        {"command": "create", "path": "/memories/tea.md", "file_text": "likes tea"},
        {"command": "view", "path": "/memories/../etc"},
        "noted",
    ]
    with endpoint(steps) as (url, asked):
        client = Anthropic(base_url=url, api_key="x", max_retries=0)
        start = getattr(client.beta.messages, "run_tools", None) or client.beta.messages.tool_runner
        tool = anthropic_memory.HoldfastMemoryTool(ws)
        prompt = [{"role": "user", "content": "Remember that I like tea"}]
        last = start(model="claude-sonnet-5-5", max_tokens=100, tools=[tool], messages=prompt).until_done()
    assert last.content[0].text == "noted"
    assert [item.value for item in ws.items.under()] == ["likes tea"]
    assert "would escape" in asked[-1]
