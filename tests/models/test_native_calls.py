"""Native code that daemon threads run is finished before the program ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

_BEGIN = """
import atexit, threading, time
from holdfast.models import onnx_session

runs = threading.Event()

class Session:
    def run(self, outputs, feed):
        runs.set()
        time.sleep(0.3)
        print(feed["text"], flush=True)
        return [0]

def call(text):
    onnx_session.run(Session(), "", {"text": text}, "model")

def daemon(function):
    threading.Thread(target=function, daemon=True).start()
"""


def printed(end: str) -> str:
    """What a program prints that begins as above; it must end well and in time."""
    command = [sys.executable, "-c", _BEGIN + end]
    ran = subprocess.run(command, capture_output=True, check=True, text=True, timeout=20)
    assert ran.stderr == ""
    return ran.stdout


def test_a_call_that_runs_when_the_program_ends_is_finished() -> None:
    assert printed("daemon(lambda: call('one')); runs.wait()") == "one\n"


def test_a_daemon_thread_begins_no_call_while_the_program_ends() -> None:
    assert printed("daemon(lambda: [call(n) for n in ('one', 'two')]); runs.wait()") == "one\n"


def test_the_main_thread_may_call_while_the_program_ends() -> None:
    begin = "from holdfast.models.native_calls import NATIVE; atexit.unregister(NATIVE.end);"
    assert printed(f"{begin} atexit.register(call, 'last'); atexit.register(NATIVE.end)") == "last\n"


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="no fork on this system")
def test_a_child_does_not_wait_for_the_threads_of_its_parent() -> None:
    forked = """
import os
daemon(lambda: call('parent')); runs.wait()
child = os.fork()
if not child:
    from holdfast.models.native_calls import NATIVE
    started = time.monotonic(); NATIVE.end()
    os._exit(0 if time.monotonic() - started < 0.2 else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    assert printed(forked) == "parent\n"


def test_numpy_is_complete_before_onnxruntime_imports_parts_of_it() -> None:
    """Otherwise a thread that imports numpy meanwhile fails, and so does onnxruntime."""
    assert (
        printed("""
import sys

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "onnxruntime":
            numpy = sys.modules.get("numpy")
            print(bool(numpy) and not numpy.__spec__._initializing)
        return None

assert "numpy" not in sys.modules
sys.meta_path.insert(0, Watch())
onnx_session._onnxruntime()
""")
        == "True\n"
    )
