"""Finds observations in the scratchpad of a finished session: one function per signal."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from holdfast.observer.agent_commits import DECISION, repeats, statements
from holdfast.observer.failures import fingerprint, is_about_place, is_routine
from holdfast.observer.injected_instructions import addresses_reader
from holdfast.observer.observation_summaries import common_words, listed
from holdfast.observer.signals import Observation
from holdfast.observer.tool_actions import (
    is_check,
    is_code,
    is_config,
    is_document,
    is_instruction,
    is_manifest,
    is_test,
)

if TYPE_CHECKING:
    from holdfast.observer.scratchpad import Scratchpad

# Names the output that taints, in place of a tool.
_TO_READER = "a message that speaks to its reader"
_HAD_READ = "a text that the agent had read"
_FORMATTERS = ("fmt", "format", "lint:fix")
_MOST = 40  # Observations of one signal in one session.
_ABANDONED_READS, _REPEATED, _LEAST_PATTERN = 4, 3, 4
# The sessions that must have seen a linter's rule broken, or a failure of which nobody knows what resolves it: after
# two, it is seldom seen again (docs/research/file-dependencies.md).
_UNRESOLVED_SESSIONS = 3
_MANY_TOKENS, _CHASE_STEPS, _MOST_OTHERS, _MOST_TESTS, _MOST_CHANGED, _MOST_READ, _MOST_EDITED = (
    8_000,
    3,
    8,
    4,
    5,
    20,
    2,
)

Detector = Callable[["Scratchpad"], Iterable[Observation]]


def observations(pad: Scratchpad) -> list[Observation]:
    """Everything observed in a session, each with the untrusted tool that ran before it, if any."""
    found: list[Observation] = []
    for detector in _DETECTORS:
        found += [_tainted(pad, one) for one, _ in zip(detector(pad), range(_MOST), strict=False)]
    return found


@lru_cache(maxsize=10_000)
def module_of(path: str) -> str:
    """The folder of a file, as the name of its module; the project itself for a file at its top."""
    return os.path.dirname(path) or "."


def _tainted(pad: Scratchpad, one: Observation) -> Observation:
    last = max(one.steps, default=pad.step)
    return Observation(one.signal, one.key, one.steps, one.files, one.values, one.taint or pad.tainted_by(last))


def _error_retry(pad: Scratchpad) -> Iterator[Observation]:
    """Failures that not every edit can make. Forms of one command that fail alike have one failure."""
    met: dict[str, list[Mapping[str, Any]]] = {}
    for failure in pad.failures.values():
        if not is_routine(failure["headline"]):
            met.setdefault(failure_key(failure), []).append(failure)
    for key, failures in met.items():
        last, steps = failures[-1], sorted(step for one in failures for step in one["steps"])
        # A linter enforces a rule wherever it is broken; other failures have a cause in a file.
        rule = bool(last.get("rule"))
        values = {"command": common_words([one["key"] for one in failures]), "headline": last["headline"]}
        values["verb"] = "rejects" if rule else "fails with"
        values |= {"fixed": "yes"} if last["fixed"] else {}
        if remedy := next(filter(None, (_remedy(one, rule) for one in reversed(failures))), ""):
            values["remedy"] = remedy
        if rule or not remedy:
            values["least"] = str(_UNRESOLVED_SESSIONS)
        files = tuple(dict.fromkeys(path for one in failures for path in one["edits"][:5]))[:5]
        yield Observation("error_retry", key, tuple(steps), files, tuple(values.items()), _addressed(last))


def failure_key(failure: Mapping[str, Any]) -> str:
    """The same failure in other sessions has the same key: what was run, without its details, and the fingerprint.

    `workmux capture a` and `workmux capture b` fail alike, and so do `bun run lint` and `bun run lint:fix`.
    """
    words = failure["key"].split()
    kept = words[: 3 if words[1:2] in (["run"], ["exec"]) else 2]
    return f"{' '.join([*kept[:-1], kept[-1].partition(':')[0]])}\n{failure['fingerprint']}"


def _remedy(failure: Mapping[str, Any], rule: bool) -> str:
    if failure["instead"]:
        return f"; `{failure['instead']}` works"
    if failure["folder"]:
        return f"; it works in `{failure['folder']}`"
    if failure["fixed"] and failure["edits"] and rule:
        return f"; last in {listed(failure['edits'][:2])}"
    # Of many files that were edited, nobody knows which resolved it.
    if failure["fixed"] and 0 < len(failure["edits"]) <= _MOST_EDITED and not is_about_place(failure["headline"]):
        return f"; fixed by editing {listed(failure['edits'])}"
    return ""


def _addressed(failure: Mapping[str, Any]) -> tuple[str, int] | None:
    """The taint of a failure whose message speaks to its reader: whether it is quoted to agents, a person decides."""
    return (_TO_READER, failure["steps"][0]) if addresses_reader(failure["headline"]) else None


def _backtrack(pad: Scratchpad) -> Iterator[Observation]:
    for known, steps in pad.backtracks.items():
        path, _, id = known.partition("\n")
        failure = pad.failures[id]
        # What another command, or the same in another folder, resolves is no fault of the edit.
        of_the_code = is_check(failure["key"]) and not failure["folder"] and not failure["instead"]
        if of_the_code and not is_routine(failure["headline"]) and not failure["key"].endswith(_FORMATTERS):
            values = {"path": path, "command": failure["key"], "headline": failure["headline"]}
            values["failure"] = failure_key(failure)
            key, taint = f"{path}\n{failure['fingerprint']}", _addressed(failure)
            yield Observation("backtrack", key, tuple(steps), (path,), tuple(values.items()), taint)


def _read_abandon(pad: Scratchpad) -> Iterator[Observation]:
    for path, use in pad.files.items():
        # A long file is read in parts, which is one reading.
        times = use["reads"] - use["parts"]
        if times >= _ABANDONED_READS and not use["edits"] and not is_instruction(path):
            yield Observation("read_abandon", path, (use["first"], use["last"]), (path,), (("path", path),))


def _repeated_grep(pad: Scratchpad) -> Iterator[Observation]:
    for pattern, search in pad.searches.items():
        opened = list(dict.fromkeys(search["then"]))[:3]
        if len(search["steps"]) >= _REPEATED and opened and len(pattern) >= _LEAST_PATTERN:
            values = (("pattern", pattern), ("files", listed(opened)))
            yield Observation("repeated_grep", pattern, tuple(search["steps"]), tuple(opened), values)


def _glob_ignore(pad: Scratchpad) -> Iterator[Observation]:
    for pattern, search in pad.searches.items():
        if search.get("nothing", 0) >= 2 and not search["then"]:
            yield Observation("glob_ignore", pattern, tuple(search["steps"]), (), (("pattern", pattern),))


def _tool_sequence(pad: Scratchpad) -> Iterator[Observation]:
    """The checks that succeeded at the end of the session, in the order of their last success."""
    last = {key: step for step, key, succeeded in pad.runs if succeeded and is_check(key)}
    order = sorted(last, key=last.__getitem__)[-4:]
    if len(order) >= 2 and pad.edited():
        values = (("order", "\n".join(order)),)
        yield Observation("tool_sequence", "checks", tuple(sorted(last.values())), (), values)


def _test_order(pad: Scratchpad) -> Iterator[Observation]:
    order = list(dict.fromkeys(key for _, key, _ in pad.runs if is_test(key)))
    for first, second in pairwise(order[:_MOST_TESTS]):
        # The tests of one runner, such as `make test` and `make test:slow`: others are the same tests in another form.
        if first.split()[:-1] == second.split()[:-1] and len(first.split()) > 1:
            at = tuple(step for step, key, _ in pad.runs if key in (first, second))
            key = "\n".join(sorted((first, second)))
            yield Observation("test_order", key, at[:5], (), (("first", first), ("second", second)))


def _config_touch(pad: Scratchpad) -> Iterator[Observation]:
    edited = [path for path in pad.edited() if not is_instruction(path)]
    others = [path for path in edited if not is_config(path) and not is_document(path)][:_MOST_OTHERS]
    for config in (path for path in edited if is_config(path) and not is_manifest(path)):
        for other in others:
            steps = (pad.files[other]["edit"], pad.files[config]["edit"])
            yield Observation(
                "config_touch", f"{other}\n{config}", steps, (other, config), (("a", other), ("b", config))
            )


def _step_overrun(pad: Scratchpad) -> Iterator[Observation]:
    edited = pad.edited()
    if len(pad.todo) >= 2 and edited and pad.step:
        modules = [module_of(path) for path in edited]
        module = max(modules, key=modules.count)
        values = (("module", module), ("steps", str(pad.step)), ("planned", str(len(pad.todo))))
        yield Observation("step_overrun", module, (1, pad.step), (), values)


def _token_spike(pad: Scratchpad) -> Iterator[Observation]:
    for path, use in pad.files.items():
        if use["tokens"] >= _MANY_TOKENS:
            values = (("path", path), ("tokens", f"{use['tokens'] // max(use['reads'], 1):,}"))
            yield Observation("token_spike", path, (use["first"],), (path,), values)


def _external_reference(pad: Scratchpad) -> Iterator[Observation]:
    for address, steps in pad.sites.items():
        # A page that addresses the agent is none to go back to.
        if address.startswith(("http://", "https://")) and not set(steps) & set(pad.instructed):
            yield Observation("external_reference", address, tuple(steps), (), (("address", address),))


def _import_chase(pad: Scratchpad) -> Iterator[Observation]:
    only_read = (path for path, use in pad.files.items() if use["reads"] and not use["edits"])
    read = sorted((pad.files[path]["first"], path) for path in only_read if is_code(path))
    # A session that reads very many files does not say which of them leads to which.
    for (at, first), (then, second) in pairwise(read if len(read) <= _MOST_READ else ()):
        if 0 < then - at <= _CHASE_STEPS:
            values = (("a", first), ("b", second))
            yield Observation("import_chase", f"{first}\n{second}", (at, then), (first, second), values)


def _time_anomaly(pad: Scratchpad) -> Iterator[Observation]:
    """Commands that take minutes, in at least half of their runs: otherwise a person was asked, or away."""
    keys = {step: key for step, key, _ in pad.runs}
    runs, long = Counter(key for _, key, _ in pad.runs), Counter(keys.get(int(step), "") for step, _ in pad.gaps)
    for step, seconds in pad.gaps:
        key = keys.get(int(step), "")
        if key and long[key] * 2 >= runs[key]:
            values = (("command", key), ("minutes", f"{seconds / 60:.0f}"))
            yield Observation("time_anomaly", key, (int(step),), (), values)


def _parallel_conflict(pad: Scratchpad) -> Iterator[Observation]:
    for path, use in pad.files.items():
        if len(use["agents"]) >= 2:
            yield Observation("parallel_conflict", path, (use["edit"], use["last"]), (path,), (("path", path),))


def _findings(pad: Scratchpad) -> Iterator[Observation]:
    """What the agent found out. Of several findings while it changed one file, the last: it knew most then."""
    found: dict[tuple[str, str], Observation] = {}
    for step, kind, text in pad.findings:
        near = [path for path, use in pad.files.items() if use["first"] <= step <= use["last"] + 3]
        changed = next((path for path in reversed(near) if _changed_after(pad, path, step)), "")
        # What was repaired afterwards is no longer so.
        finding = f"Found while changing `{changed}`: {text}" if changed else text
        # What an agent says in the step of a call follows its result.
        taint = pad.tainted_by(step + 1)
        one = Observation(kind, text, (step,), tuple(near[-2:]), (("finding", finding),), taint)
        found[kind, changed or text] = one
    yield from found.values()


def _changed_after(pad: Scratchpad, path: str, step: int) -> bool:
    return bool(pad.files[path]["edits"]) and pad.files[path]["last"] > step


def _end_to_end(pad: Scratchpad) -> Iterator[Observation]:
    for step, tool, target, kind, text in pad.browsed:
        values = (("target", f"{target}: " if target else ""), ("text", text), ("kind", kind), ("tool", tool))
        # The text itself comes from outside.
        yield Observation("end_to_end", f"{kind}\n{target}\n{fingerprint(text)}", (step,), (), values, (tool, step))


def _commits(pad: Scratchpad) -> Iterator[Observation]:
    """What the messages of the session's commits say, with the files that were edited since the commit before."""
    before = 0
    for step, id, message in pad.commits:
        changed = [path for path, use in pad.files.items() if use["edits"] and before < use["last"] <= step]
        for one in statements(message):
            values = (("text", one.text), ("commit", id))
            files = tuple(changed[:_MOST_CHANGED])
            taint = _repeated(pad, one.sentence, step) if one.kind == DECISION else None
            yield Observation(one.kind, fingerprint(one.text), (step,), files, values, taint)
        before = step


def _repeated(pad: Scratchpad, sentence: str, step: int) -> tuple[str, int] | None:
    """The taint of a sentence that the agent had read before this step, unless a person said it."""
    if any(repeats(sentence, prompt) for prompt in pad.prompts):
        return None
    return next(((_HAD_READ, at) for at, text in pad.given if at <= step and repeats(sentence, text)), None)


# File access and co-access are counted over sessions in the store, not here.
_DETECTORS: tuple[Detector, ...] = (
    _error_retry, _backtrack, _read_abandon, _repeated_grep, _glob_ignore, _tool_sequence, _test_order, _config_touch,
    _step_overrun, _token_spike, _external_reference, _import_chase, _time_anomaly, _parallel_conflict, _findings,
    _end_to_end, _commits,
)  # fmt: skip
