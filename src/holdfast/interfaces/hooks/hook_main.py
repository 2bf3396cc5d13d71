"""`holdfast hook AGENT [EVENT]`: answers an agent's hook. Whatever happens, the agent goes on: it always exits with 0.

The agent waits for this program at every tool call, so it imports what the call needs and nothing else.
"""

from __future__ import annotations

import _thread
import gc
import os
import sys
import time

from holdfast.system.hook_log import log_failure
from holdfast.system.light_settings import SECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.agents.hook_input import HookAnswer, HookInput
    from holdfast.inject.turn import Turn
    from holdfast.system.light_settings import HookSettings

# Longer input is not parsed: no tool call that matters is that long, and the agent waits.
_MOST_BYTES = 16 * 1024 * 1024
# Seconds after which the agent goes on without memory; replaced when the settings were read.
_patience = [SECONDS]
_TICK = 0.02


def main(argv: list[str]) -> None:
    """Runs one hook and ends the process at once, without the clean-up of the interpreter."""
    gc.disable()  # Importing makes many objects, none of them is garbage, and the process ends soon.
    _thread.start_new_thread(_give_up, (argv,))
    run(argv, leave_open=True)
    os._exit(0)


def run(argv: list[str], *, leave_open: bool = False) -> int:
    """Answers one hook on standard output. Never raises and never fails: problems go to the log of hooks."""
    try:
        text = _answer(argv, leave_open)
        if text:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
    except Exception as error:  # noqa: BLE001 - whatever happens, the agent goes on
        _log(argv, _describe(error))
    return 0


def _answer(argv: list[str], leave_open: bool) -> str:
    from holdfast.agents.hook_form import MOST_CHARACTERS, read_input, write_answer
    from holdfast.agents.hook_input import NOT_OURS
    from holdfast.core.light_json import read_json
    from holdfast.system.light_settings import read_hook_settings

    client, event = (*argv, "", "")[:2]
    raw = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(raw) > _MOST_BYTES:
        raise ValueError(f"the input is longer than {_MOST_BYTES} bytes")
    payload = read_json(raw.decode("utf-8", "replace"))
    input = read_input(client, event, payload)
    settings = read_hook_settings(os.environ)
    _patience[0] = settings.seconds
    answer = _take_turn(input, settings, MOST_CHARACTERS, leave_open)
    message = _message(input, answer) if answer.given or answer.stored else ""
    if answer is not NOT_OURS and input.point == "after-tool" and input.tool.endswith(_STORING):
        from holdfast.interfaces.hooks.deep import taint_stored

        taint_stored(input)
    if settings.background and answer is not NOT_OURS and (input.point in _WAKING or _is_milestone(input)):
        _start_background(input.cwd, _WAKING.get(input.point, 0))
    return write_answer(input, event or payload["hook_event_name"], answer, message)


def _message(input: HookInput, answer: HookAnswer) -> str:
    """The line for the person at the end of a turn in which memory took part."""
    from holdfast.agents.programs import hooked

    program = hooked(input.client)
    if program is None or not program.shows_message:
        return ""
    from holdfast.interfaces.hooks.deep import with_summary
    from holdfast.interfaces.hooks.turn_message import turn_message

    return turn_message(with_summary(input, answer), input.session)


# A session that begins or ends leaves work: the messages and observations of sessions that are over. A process that is
# at work already may have passed it by, or work for another project, so that the end waits for it, in seconds. The
# start waits as well, because it learns from a session that never ended: its terminal was closed.
_WAKING = {"start": 20, "end": 60}


# The ends of the names of our tools that store what the agent says.
_STORING = ("remember", "correct_memory", "record_outcome")


def _is_milestone(input: HookInput) -> bool:
    """Did the agent complete a task of a long plan? What it showed is learned at once, not at the end."""
    if input.point != "after-tool":
        return False
    from holdfast.agents.plans import completes_subtask

    return completes_subtask(input.tool, input.args)


def _start_background(folder: str, patience: int) -> None:
    """Starts background work in a process that outlives the agent. It ends at once if another one is at work."""
    command = [sys.executable, "-P", "-m", "holdfast", "--project", folder, "upkeep", "--background"]
    command += ["--patience", str(patience)]
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    os.posix_spawn(command[0], command, os.environ, file_actions=nowhere, setsid=True)


# Turns of a process that ends at once. Closing the last connection would first write the whole log into the file.
_left_open: list[Turn] = []


def _take_turn(input: HookInput, settings: HookSettings, most_characters: int, leave_open: bool) -> HookAnswer:
    from holdfast.agents.hook_input import NOT_OURS, WANTS_LOOK
    from holdfast.inject.turn import begin_turn

    turn = begin_turn(input, settings)
    if turn is None:
        return NOT_OURS
    if leave_open:
        _left_open.append(turn)
    try:
        answer = turn.answer(most_characters)
        if answer is WANTS_LOOK:
            from holdfast.interfaces.hooks.deep import look

            answer = turn.after_look(*look(input), most_characters)
        return answer
    finally:
        if not leave_open:
            turn.close()


def _give_up(argv: list[str]) -> None:
    began = time.monotonic()
    while (left := began + _patience[0] - time.monotonic()) > 0:
        time.sleep(min(left, _TICK))
    _log(argv, f"no answer after {_patience[0]:g} s; the agent went on without memory")
    os._exit(0)


def _log(argv: list[str], error: str) -> None:
    log_failure(os.environ, " ".join(argv[:2]), error)


def _describe(error: Exception) -> str:
    """The error and the last of our lines that it passed. No input: it may hold secrets."""
    place, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if "holdfast" in file:
            place = f"{os.path.basename(file)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}: {error} ({place})"
