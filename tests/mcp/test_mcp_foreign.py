"""Programs of the protocol's makers against our server: the conformance suites and the inspector."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from holdfast import Workspace
from holdfast.core.errors import InvalidInput
from holdfast.interfaces.mcp.prompts import PROMPTS, Prompt
from holdfast.interfaces.mcp.render import ToolReply
from holdfast.interfaces.mcp.resources import RESOURCES, Resources
from holdfast.interfaces.mcp.tool import Tool
from tests.clients import node_program
from tests.mcp.http_servers import TOKEN, serving

pytestmark = pytest.mark.program

# Not offered by a memory server: logging, pictures and sound, requests to the client, subscriptions.
NOT_OFFERED = """logging-set-level tools-call-image tools-call-audio tools-call-embedded-resource
    tools-call-mixed-content tools-call-with-logging tools-call-sampling tools-call-elicitation
    elicitation-sep1034-defaults elicitation-sep1330-enums resources-read-binary resources-subscribe
    resources-unsubscribe prompts-get-embedded-resource prompts-get-with-image""".split()
STATELESS = ("caching", "http-header-validation", "sep-2164-resource-not-found", "tools-list", "completion-complete")


def fails(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    raise InvalidInput("This tool intentionally returns an error for testing", hint="")


def reports(workspace: Workspace, arguments: Mapping[str, Any], progress: Callable[..., None]) -> ToolReply:
    for done in (0, 50, 100):
        progress(done, 100, f"Completed step {done} of 100")
    return ToolReply("done")


def simple(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    return ToolReply("This is a simple text response for testing.")


NO_INPUT: dict[str, Any] = {"type": "object", "properties": {}}
# The suite asks for tools, prompts and resources with these names and answers.
FIXTURE_TOOLS = (
    Tool("test_simple_text", "Simple", "Returns text.", NO_INPUT, simple),
    Tool("test_error_handling", "Error", "Fails.", NO_INPUT, fails),
    Tool("test_tool_with_progress", "Progress", "Reports progress.", NO_INPUT, reports, long=True),
)
FIXTURE_PROMPTS = (
    Prompt("test_simple_prompt", "Simple", "Simple.", lambda *_: "This is a simple prompt for testing."),
    Prompt(
        "test_prompt_with_arguments",
        "Arguments",
        "With arguments.",
        lambda _, given: f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'",
        {"arg1": "First", "arg2": "Second"},
    ),
)


def read_fixture(uri: str, open_workspace: Callable[[], Workspace]) -> dict[str, Any] | None:
    if uri == "test://static-text":
        return {"uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource."}
    if named := re.fullmatch(r"test://template/(\w+)/data", uri):
        text = json.dumps({"id": named[1], "templateTest": True, "data": f"Data for ID: {named[1]}"})
        return {"uri": uri, "mimeType": "application/json", "text": text}
    return RESOURCES.read(uri, open_workspace)


@pytest.fixture
def address(ws: Workspace) -> Iterator[str]:
    """A server without a token, which the suite cannot send, with the fixtures of the suite."""
    parts = {
        "prompts": (*PROMPTS, *FIXTURE_PROMPTS),
        "resources": Resources(RESOURCES.listed, RESOURCES.templates, read_fixture),
    }
    with serving(ws, None, FIXTURE_TOOLS, **parts) as server:
        yield server.address


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=480, cwd=folder)


def test_the_conformance_suite_passes_except_for_what_is_not_offered(address: str, tmp_path: Path) -> None:
    program = node_program("@modelcontextprotocol/conformance/dist/index.js")
    expected = tmp_path / "expected.yml"
    # A server without sessions is allowed to; the suite warns.
    known = [*NOT_OFFERED, "server-sse-multiple-streams"]
    expected.write_text("server:\n" + "".join(f"  - {name}\n" for name in known), encoding="utf-8")
    done = run(*program, "server", "--url", address, "--expected-failures", str(expected), folder=tmp_path)
    passed = re.findall(r"^✓ ([\w-]+): [1-9]", done.stdout, re.MULTILINE)
    assert done.returncode == 0, done.stdout[-3_000:]
    assert len(passed) >= 14, passed


@pytest.mark.parametrize("scenario", STATELESS)
def test_the_suite_for_the_stateless_protocol_passes(address: str, tmp_path: Path, scenario: str) -> None:
    program = node_program("conformance-next/dist/index.js")
    done = run(*program, "server", "--url", address, "--scenario", scenario, folder=tmp_path)
    assert re.search(r"Passed: (\d+)/\1, 0 failed", done.stdout), done.stdout[-3_000:]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_lists_portable_tools_and_calls_one_with_the_token(
    ws: Workspace, tmp_path: Path, era: str
) -> None:
    program = node_program("@modelcontextprotocol/inspector/clients/launcher/build/index.js")
    ws.remember("The inspector reads this note.")
    with serving(ws) as server:
        common = ["--cli", "--protocol-era", era, "--format", "json", "-q", "--server-url", server.address]
        common += ["--header", f"Authorization: Bearer {TOKEN}"]
        listed = run(*program, *common, "--strict", "--method", "tools/list", folder=tmp_path)
        called = run(
            *program, *common, "--method", "tools/call", "--tool-name", "search_memory",
            "--tool-arg", "query=what does the inspector read?", folder=tmp_path,
        )  # fmt: skip
        refused = run(*program, *common[:-2], "--method", "tools/list", folder=tmp_path)
    assert listed.returncode == 0, listed.stderr[-2_000:]
    assert "search_memory" in listed.stdout
    assert called.returncode == 0, called.stderr[-2_000:]
    assert "The inspector reads this note." in called.stdout
    assert refused.returncode != 0
