"""The real opencode with a scripted model: our plug-in runs, and memory reaches the model."""

from __future__ import annotations

import json
import subprocess
from importlib.resources import files

import pytest

from tests.clients import node_program

# Offline, opencode waits a minute for a package that it cannot install.
pytestmark = pytest.mark.torture

CLIENT = "opencode"
GOTCHA = "The importer of the archive writes Latin-1 on Windows."
QUIET = ("AUTOUPDATE", "MODELS_FETCH", "DEFAULT_PLUGINS", "LSP_DOWNLOAD")


def settings(url):
    model = {"name": "scripted", "tool_call": True, "limit": {"context": 100_000, "output": 4_000}}
    options = {"baseURL": f"{url}/v1", "apiKey": "x"}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "scripted", "options": options, "models": {"m": model}}
    shared = {"autoupdate": False, "share": "disabled", "permission": {"*": "allow"}}
    return {**shared, "model": "scripted/m", "small_model": "scripted/m", "provider": {"scripted": provider}}


def opencode(machine, prompt):
    def start(model):
        # The address changes with every run; what `connect` wrote stays in the file of the user.
        (machine.project / "opencode.json").write_text(json.dumps(settings(model.url)))
        return ["run", "--format", "json", prompt], {f"OPENCODE_DISABLE_{name}": "1" for name in QUIET}

    return start


def test_a_session(machine):
    """It starts with the rules, and reading a file brings its gotcha."""
    machine.holdfast("connect", CLIENT)
    machine.holdfast("remember", "--type", "gotcha", "--file", "src/calc.py", GOTCHA)
    machine.holdfast("remember", "--type", "requirement", "Never write to the folder vendor.")
    path = str(machine.file)
    model = machine.run(
        [
            {"tool": "read", "input": {"filePath": path}},
            {"tool": "edit", "input": {"filePath": path, "oldString": "return a - b", "newString": "return a + b"}},
            {"tool": "holdfast_search_memory", "input": {"query": "importer"}},
            {"text": "Done."},
        ],
        opencode(machine, "Sum is broken. From now on always run make check before you commit."),
    )
    assert "a + b" in machine.file.read_text()
    assert "folder vendor" in model.text(0)
    assert "store it now with Holdfast's tool" in model.text(0), "the agent is asked to store the rule"
    system = [message for message in json.loads(model.text(0))["messages"] if message["role"] == "system"]
    assert system
    assert "folder vendor" not in str(system), "memories are information"
    assert GOTCHA not in model.text(0)
    assert GOTCHA in model.text(1), "the gotcha comes with the file that was read"
    assert model.text(2).count(f"] {GOTCHA}") == 1, "nothing comes twice"
    assert {"session", "user", "tool_call", "tool_result", "given", "stop"} <= set(machine.kinds())


SAID = [
    (["run"], '"Say \\"hi\\" twice."', 'Say "hi" twice.'),
    (["run"], '"one" and "two"', '"one" and "two"'),
    (["run"], "plain", "plain"),
    ([], '"From now on always run make check."', '"From now on always run make check."'),
]


@pytest.mark.parametrize(("arguments", "text", "prompt"), SAID)
def test_only_the_quotation_marks_of_opencode_run_are_removed(tmp_path, arguments, text, prompt):
    echo = "process.stdin.on('data', (asked) => console.log(JSON.stringify({ context: JSON.parse(asked).prompt })))"
    node = plugin(tmp_path, echo)
    (tmp_path / "play.mjs").write_text(
        "import { Holdfast } from './plugin.mjs'\n"
        "const plugin = await Holdfast({ directory: '.' })\n"
        f"const output = {{ parts: [{{ id: 'p', type: 'text', text: {json.dumps(text)} }}] }}\n"
        "await plugin['tool.execute.after']({ sessionID: 's' }, {})\n"
        "await plugin['chat.message']({ sessionID: 's' }, output)\n"
        "console.log(JSON.stringify(output.parts[1].text))\n"
    )
    done = subprocess.run([node, "play.mjs", *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == prompt


def plugin(folder, hook):
    """Writes the plug-in, with this program in place of the hook; returns node."""
    node = node_program(".")[0]
    (folder / "hook.mjs").write_text(hook)
    source = (files("holdfast.agents.connect") / "assets/opencode.js").read_text("utf-8")
    (folder / "plugin.mjs").write_text(source.replace("__COMMAND__", json.dumps([node, str(folder / "hook.mjs")])))
    return node


def test_memory_comes_beside_the_prompt_and_again_after_compaction(tmp_path):
    """The plug-in under node, with a program in place of the hook that says at which moment it was called."""
    node = plugin(tmp_path, "process.stdin.resume(); console.log(JSON.stringify({ context: process.argv.at(-1) }))")
    play = tmp_path / "play.mjs"
    play.write_text(
        "import { Holdfast } from './plugin.mjs'\n"
        "const plugin = await Holdfast({ directory: '.' })\n"
        "const part = { id: 'prt_1', messageID: 'msg_1', sessionID: 's', type: 'text', text: 'hello' }\n"
        "const say = async () => {\n"
        "  const output = { parts: [part] }\n"
        "  await plugin['chat.message']({ sessionID: 's' }, output)\n"
        "  return output.parts.at(-1)\n"
        "}\n"
        "const use = async () => {\n"
        "  const output = { output: 'done' }\n"
        "  await plugin['tool.execute.after']({ sessionID: 's' }, output)\n"
        "  return output.output\n"
        "}\n"
        "const cut = () => plugin.event({ event: { type: 'session.compacted', properties: { sessionID: 's' } } })\n"
        "const seen = [await say(), await say(), await use()]\n"
        "await cut()\n"
        "seen.push(await use(), await use())\n"
        "await cut()\n"
        "seen.push(await say(), await say())\n"
        "console.log(JSON.stringify([seen, Object.keys(plugin)]))\n"
    )
    done = subprocess.run([node, str(play)], cwd=tmp_path, capture_output=True, text=True, check=True)
    seen, points = json.loads(done.stdout)
    place = {"id": "prt_10", "messageID": "msg_1", "sessionID": "s", "type": "text", "synthetic": True}
    assert seen[0] == {**place, "text": "start\n\nprompt"}
    assert [each if isinstance(each, str) else each["text"] for each in seen[1:]] == [
        "prompt",
        "done\n\nafter-tool",
        "done\n\nstart\n\nafter-tool",
        "done\n\nafter-tool",
        "start\n\nprompt",
        "prompt",
    ]
    assert not [point for point in points if "system" in point], "memories are no part of the system prompt"
