"""The scratchpad of one agent's session: counts that each event updates in constant time, within bounded memory.

A scratchpad is written as JSON and read back, so that observing continues after a crash.
"""

from __future__ import annotations

from collections import deque
from posixpath import normpath
from typing import TYPE_CHECKING, Any

from holdfast.agents import event as kinds
from holdfast.agents import plans
from holdfast.agents.tool_shapes import EDIT, READ, RUN, SEARCH
from holdfast.agents.untrusted_tools import untrusted_source
from holdfast.observer.agent_commits import commit_id
from holdfast.observer.end_to_end import interface_observation
from holdfast.observer.failures import Failure, failure_of, further_rules
from holdfast.observer.git_commands import EVERYTHING, switched_branch, taken_back
from holdfast.observer.injected_instructions import instructs
from holdfast.observer.requests import is_request
from holdfast.observer.self_corrections import findings
from holdfast.observer.session_kinds import BUILD, LIMITS, OUTCOMES
from holdfast.observer.tool_actions import (
    Action,
    action_of,
    form_that_runs,
    is_config,
    root_of,
)
from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.agents.event import Event

# The most entries of each kind, so that a session of any length fits in memory; later ones are not counted.
MOST_FILES, MOST_SEARCHES, MOST_FAILURES, MOST_FINDINGS, MOST_PROMPTS = 4_000, 1_000, 400, 60, 20
_MOST_RUNS, _MOST_STEPS, _MOST_OPEN, _MOST_SITES, _MOST_GAPS, _MOST_BROWSED = 600, 40, 200, 200, 50, 20
# The most texts of tools that are kept, the latest, and the characters of each.
_MOST_GIVEN, _GIVEN = 200, 8_000
_UNEDITED = {"edits": 0}
_PROMPT, _COMMAND, _PATTERN = 4_000, 200, 200
# A second edit of a file within so many steps takes the first one back or repairs it.
_BACKTRACK_STEPS = 5
_LONG_GAP = 300.0
_SUMMARY = "This session is being continued from a previous conversation"
_PIPED = r"\|\s*(?:python[\d.]*|node|jq|perl|ruby)\s"
_CHARACTERS_PER_TOKEN = 4


class Scratchpad:
    """What happened in one session so far. `root` is the project's folder; paths are relative to it.

    Every part is plain data: numbers, texts, lists and dictionaries.
    """

    def __init__(self, session: str, root: str = "", kind: str = BUILD) -> None:
        self.session, self.root, self.kind = session, root, kind
        # Where the agent works, if not in the root.
        self.folder = ""
        # The agent program, as journals name it.
        self.client = ""
        self.step = 0
        self.started = self.ended = 0.0
        self.branches: list[str] = []
        self.prompts: list[str] = []
        self.said = ""
        self.finished = False
        # By path: first and last step, reads (of these, of a further part; the line read last), edits, step of the
        # first edit, tokens read, agents that edited it.
        self.files: dict[str, dict[str, Any]] = {}
        # By pattern: the steps in which it was searched, and the files opened next.
        self.searches: dict[str, dict[str, Any]] = {}
        # By command and fingerprint: the failure, its steps, and what happened until the command succeeded.
        self.failures: dict[str, dict[str, Any]] = {}
        # By command key: the fingerprint of its failure that is not resolved yet.
        self.open: dict[str, str] = {}
        # The commands that were run: step, key, and whether they succeeded.
        self.runs: list[list[Any]] = []
        # By path and failure: the steps in which an edit was repaired at once.
        self.backtracks: dict[str, list[int]] = {}
        self.findings: list[list[Any]] = []
        self.sites: dict[str, list[int]] = {}
        # What tools that drive a browser reported: step, tool, what it was used on, kind, text.
        self.browsed: list[list[Any]] = []
        # The commits that were made: step, id, and message.
        self.commits: list[list[Any]] = []
        # The texts that tools gave the agent, without those of files it had edited: step, and text.
        self.given: list[list[Any]] = []
        self.gaps: list[list[float]] = []
        self.todo: dict[str, str] = {}
        self.tokens = 0
        # What was reported: whether quality assurance passed, the steps that were planned, and how the work ended.
        self.qa: bool | None = None
        self.planned = 0
        self.outcome = ""
        self.untrusted: list[Any] = []
        self.instructed: list[int] = []
        self._pending: dict[str, Action] = {}
        self._recent: deque[str] = deque(maxlen=8)
        self._last_at = 0.0

    def observe(self, event: Event) -> None:
        """Takes in one event."""
        self._clock(event)
        handle = _HANDLERS.get(event.kind)
        if handle is not None:
            handle(self, event)

    def tainted_by(self, step: int) -> tuple[str, int] | None:
        """The untrusted tool whose output the agent had read before this step, and the step in which it had."""
        if self.untrusted and step > self.untrusted[1]:
            return str(self.untrusted[0]), int(self.untrusted[1])
        return None

    def edited(self) -> list[str]:
        """The files that were edited, in order of the first edit."""
        return sorted((path for path, use in self.files.items() if use["edits"]), key=lambda p: self.files[p]["edit"])

    def to_record(self) -> dict[str, Any]:
        """The scratchpad as plain data."""
        record = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        pending = {id: list(action) for id, action in self._pending.items()}
        return {**record, "pending": pending, "recent": list(self._recent), "last_at": self._last_at}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Scratchpad:
        """The scratchpad of `to_record`."""
        pad = cls(record["session"], record["root"], record["kind"])
        for name, value in record.items():
            if name in vars(pad):
                setattr(pad, name, value)
        pad._pending = {id: Action(kind, tuple(paths), *rest) for id, (kind, paths, *rest) in record["pending"].items()}
        pad._recent.extend(record["recent"])
        pad._last_at = record["last_at"]
        return pad

    # -- events ---------------------------------------------------------------------------------------------------

    def _session(self, event: Event) -> None:
        folder = str(event.args.get("cwd") or "")
        self.root = str(event.args.get("root") or root_of(folder, self.root))
        self.folder = folder if folder != self.root else ""
        self.client = event.tool or self.client
        self._report(event)
        self._on_branch(str(event.args.get("branch") or ""))

    def _report(self, event: Event) -> None:
        """Takes in what was reported; values of a wrong type come from elsewhere and count as none."""
        kind, qa, planned, outcome = (event.args.get(name) for name in ("kind", "qa", "planned_steps", "outcome"))
        self.kind = kind if isinstance(kind, str) and kind in LIMITS else self.kind
        self.qa = qa if isinstance(qa, bool) else self.qa
        self.planned = planned if type(planned) is int and planned > 0 else self.planned
        self.outcome = outcome if isinstance(outcome, str) and outcome in OUTCOMES else self.outcome

    def _user(self, event: Event) -> None:
        if event.text.startswith(_SUMMARY):
            return  # Written by the client when it cut the context.
        if len(self.prompts) < MOST_PROMPTS and is_request(event.text[:_PROMPT]):
            self.prompts.append(event.text[:_PROMPT])

    def _text(self, event: Event) -> None:
        if event.kind == kinds.ASSISTANT:
            self.said = event.text[-_PROMPT:]
        if len(self.findings) < MOST_FINDINGS:
            self.findings += [[self.step, found.kind, found.text] for found in findings(event.text)]

    def _call(self, event: Event) -> None:
        self.step = event.step or self.step + 1
        action = action_of(event.tool, event.args, self.root, self.folder)
        if event.id and len(self._pending) < _MOST_OPEN:
            self._pending[event.id] = action
        if source := untrusted_source(event.tool, event.args, self.client):
            self._read_outside(event, source)
        self._on_branch(switched_branch(action.command))
        if action.kind in (READ, EDIT):
            self._touch(action, event.agent, _first_line(event.args))
        elif action.kind == SEARCH and action.pattern:
            self._search(action.pattern[:_PATTERN])
        elif action.paths:
            self._touch(action._replace(kind=EDIT), event.agent)
        if action.read:
            self._touch(action._replace(kind=READ, paths=action.read), event.agent)
        for path in map(self._known_path, action.removed):
            self._removed(path)
        self._plan(event)

    def _result(self, event: Event) -> None:
        action = self._pending.pop(event.id, None)
        self.tokens += len(event.text) // _CHARACTERS_PER_TOKEN
        if instructs(event.text):
            self.instructed = [*self.instructed[:_MOST_STEPS], self.step]
            self.untrusted = self.untrusted or ["instructions in a tool's output", self.step]
        self._given(action, event)
        if action is None:
            return
        if action.browser:
            self._browsed(action, event)
        if action.kind == READ:
            for path in action.paths:
                if path in self.files:
                    self.files[path]["tokens"] += len(event.text) // _CHARACTERS_PER_TOKEN
        elif action.kind == RUN:
            self._ran(action, event)
            self._committed(action, event)
            self._took_back(action, event)
        elif action.kind == SEARCH and action.pattern[:_PATTERN] in self.searches and _found_nothing(event.text):
            search = self.searches[action.pattern[:_PATTERN]]
            search["nothing"] = search.get("nothing", 0) + 1

    def _given(self, action: Action | None, event: Event) -> None:
        own = action is not None and (
            action.kind == EDIT
            or action.message
            or any(self.files.get(self._known_path(path), _UNEDITED)["edits"] for path in (*action.paths, *action.read))
        )
        if event.text and not own:
            self.given = [*self.given[1 - _MOST_GIVEN :], [self.step, event.text[:_GIVEN]]]

    def _end(self, event: Event) -> None:
        self.finished = True

    # -- parts ------------------------------------------------------------------------------------------------------

    def _clock(self, event: Event) -> None:
        self.started = self.started or event.at
        self.ended = max(self.ended, event.at)
        if self._last_at and event.kind == kinds.TOOL_RESULT and event.at - self._last_at >= _LONG_GAP:
            self.gaps = [*self.gaps[-_MOST_GAPS:], [self.step, event.at - self._last_at]]
        self._last_at = event.at or self._last_at

    def _touch(self, action: Action, agent: str, line: int = 0) -> None:
        for path in map(self._known_path, action.paths):
            use = self.files.get(path)
            if use is None:
                if len(self.files) >= MOST_FILES:
                    return
                counts = dict.fromkeys(("reads", "parts", "line", "edits", "edit", "tokens"), 0)
                use = self.files[path] = {"first": self.step, "last": self.step, "agents": [], **counts}
                for pattern in self._recent:
                    if len(self.searches[pattern]["then"]) < _MOST_STEPS:
                        self.searches[pattern]["then"].append(path)
            if action.kind == EDIT:
                self._edit(path, use, agent)
            else:
                use["reads"] += 1
                use["parts"] += line > use["line"]
                use["line"] = line
            use["last"] = self.step
        self._recent.clear()

    def _known_path(self, path: str) -> str:
        """The path itself, or the file it means if the agent works in a folder of the project.

        A short path may be another file of the same name; only a name alone, or one below two folders, is looked up.
        """
        if path in self.files or path.count("/") == 1:
            return path
        known = [other for other in self.files if other.endswith("/" + path)]
        return known[0] if len(known) == 1 else path

    def _removed(self, path: str) -> None:
        """Drops a file that the session made and removed: it was never part of the project."""
        use = self.files.get(path)
        if use is not None and use["edit"] == use["first"] != self.step:
            del self.files[path]

    def _took_back(self, action: Action, event: Event) -> None:
        """Forgets the edits that a command took back: what was not committed did not change."""
        for named in taken_back(action.command) if not event.error else ():
            place = normpath(f"{action.folder}/{named}".lstrip("/"))
            known = self._known_path(place)
            for path, use in self.files.items():
                inside = place == EVERYTHING or path == known or path.startswith(f"{place}/")
                if inside and use["edit"] and not any(use["edit"] <= step for step, *_ in self.commits):
                    use.update(edits=0, edit=0, agents=[])
                    for key in self.open.values():
                        self.failures[key]["edits"] = [one for one in self.failures[key]["edits"] if one != path]

    def _edit(self, path: str, use: dict[str, Any], agent: str) -> None:
        if use["edits"] and self.step - use["last"] <= _BACKTRACK_STEPS and self.open:
            self._repair(path)
        use["edits"] += 1
        use["edit"] = use["edit"] or self.step
        if agent not in use["agents"] and len(use["agents"]) < _MOST_STEPS:
            use["agents"].append(agent)
        for key in self.open.values():
            edits = self.failures[key]["edits"]
            if path not in edits and len(edits) < _MOST_STEPS:
                edits.append(path)

    def _browsed(self, action: Action, event: Event) -> None:
        if len(self.browsed) < _MOST_BROWSED and (seen := interface_observation(event.text)) is not None:
            self.browsed.append([self.step, action.browser[:_PATTERN], action.target, *seen])

    def _repair(self, path: str) -> None:
        """An edit that repairs the one before, because of the failure that is open."""
        known = f"{path}\n{next(reversed(self.open.values()))}"
        if known in self.backtracks or len(self.backtracks) < _MOST_OPEN:
            steps = self.backtracks.setdefault(known, [])
            if len(steps) < _MOST_STEPS:
                steps.append(self.step)

    def _search(self, pattern: str) -> None:
        found = self.searches.get(pattern)
        if found is None:
            if len(self.searches) >= MOST_SEARCHES:
                return
            found = self.searches[pattern] = {"steps": [], "then": []}
        if len(found["steps"]) < _MOST_STEPS:
            found["steps"].append(self.step)
        if pattern not in self._recent:
            self._recent.append(pattern)

    def _ran(self, action: Action, event: Event) -> None:
        keys = action.keys
        failure = failure_of(event.text, event.error) if keys or event.error else None
        if failure is not None and compiled(_PIPED).search(action.command):
            return  # The failure may be that of the code that reads the output.
        if failure is None and self.open:
            self._found(action.command)
        if failure is not None and failure.program:
            self._failed(failure.program, failure)
        if not keys:
            return
        # A failure ends the chain: it is the last command's, unless the output names another one.
        failed = next((key for key in keys if f"[{key.split()[-1]}] ERROR" in event.text), keys[-1])
        for key in keys if failure is None else keys[: keys.index(failed) + 1]:
            succeeded = failure is None or key != failed
            if len(self.runs) < _MOST_RUNS:
                self.runs.append([self.step, key, succeeded])
            if succeeded:
                self._succeeded(key, action.folder)
        if failure is not None and failure.headline and not failure.program:
            self._failed_by_rules(failed, failure, event.text, action.folder)

    def _failed_by_rules(self, key: str, failure: Failure, output: str, folder: str) -> None:
        """Notes a failure; of a linter's output each rule that it names."""
        for other in further_rules(output, failure) if failure.rule else ():
            self._failed(key, other, folder)
        self._failed(key, failure, folder)

    def _committed(self, action: Action, event: Event) -> None:
        if action.message and len(self.commits) < _MOST_STEPS and (id := commit_id(event.text)):
            self.commits.append([self.step, id, action.message])

    def _failed(self, key: str, failure: Failure, folder: str = "") -> None:
        id = f"{key}\n{failure.fingerprint}"
        known = self.failures.get(id)
        if known is None:
            if len(self.failures) >= MOST_FAILURES:
                return
            empty: dict[str, Any] = {"steps": [], "edits": [], "fixed": 0, "instead": "", "folder": ""}
            known = self.failures[id] = {"key": key, **failure._asdict(), **empty}
        known["in"] = folder
        if len(known["steps"]) < _MOST_STEPS:
            known["steps"].append(self.step)
        if len(self.open) < _MOST_OPEN:
            self.open[key] = id

    def _succeeded(self, key: str, folder: str) -> None:
        id = self.open.pop(key, None)
        if id is not None:
            failure = self.failures[id]
            failure["fixed"] = self.step
            if folder != failure["in"] and not failure["edits"]:
                failure["folder"] = folder
            return
        # Another form of a command that had just failed: `bun run test` after `rtk bun run test`.
        for failed, id in list(self.open.items()):
            if is_form_of(key, failed) and not self.failures[id]["edits"]:
                self.failures[id].update(fixed=self.step, instead=key)
                del self.open[failed]

    def _found(self, command: str) -> None:
        """How a program was run that the shell had not found: `python3` for `python`, or with its folder."""
        for program, id in list(self.open.items()):
            if self.failures[id]["program"] and (form := form_that_runs(program, command)):
                self.failures[id].update(fixed=self.step, instead="" if form == program else form)
                del self.open[program]

    def _on_branch(self, branch: str) -> None:
        if branch not in ("", "HEAD") and branch not in self.branches and len(self.branches) < _MOST_STEPS:
            self.branches.append(branch[:_PATTERN])

    def _read_outside(self, event: Event, source: str) -> None:
        self.untrusted = self.untrusted or [source[:_PATTERN], self.step]
        address = str(event.args.get("url") or event.args.get("query") or "")[:_PATTERN]
        if address and (address in self.sites or len(self.sites) < _MOST_SITES):
            self.sites.setdefault(address, []).append(self.step)

    def _plan(self, event: Event) -> None:
        """Keeps the agent's own list of tasks."""
        if event.tool in plans.LISTING:
            for subject, status in plans.tasks_of(event.args):
                if subject in self.todo or len(self.todo) < _MOST_OPEN:
                    self.todo[subject] = status
        elif event.tool == plans.UPDATING:
            # Tasks are numbered in the order in which they were created.
            subjects, (number, status) = list(self.todo), plans.updated_task(event.args)
            if 0 < number <= len(subjects) and status:
                self.todo[subjects[number - 1]] = status


def _first_line(args: Mapping[str, Any]) -> int:
    line = args.get("offset") or 0
    return line if isinstance(line, int) else 0


def configs(pad: Scratchpad) -> list[str]:
    """The configuration files that were edited."""
    return [path for path in pad.edited() if is_config(path)]


def _found_nothing(text: str) -> bool:
    return text.strip().lower()[:40].startswith(("no files found", "no matches found", "no results", "0 matches"))


def is_form_of(key: str, other: str) -> bool:
    """Is one command the other with words before or after it, or a variant of it such as `lint:fix` of `lint`?"""
    shorter, longer = sorted((key.split(), other.split()), key=len)
    variant = len(shorter) == len(longer) and longer[-1].startswith(f"{shorter[-1]}:")
    return (
        len(shorter) >= 2 and key != other and (set(shorter) < set(longer) or (variant and shorter[:-1] == longer[:-1]))
    )


_HANDLERS = {
    kinds.SESSION: Scratchpad._session,
    kinds.USER: Scratchpad._user,
    kinds.ASSISTANT: Scratchpad._text,
    kinds.REASONING: Scratchpad._text,
    kinds.TOOL_CALL: Scratchpad._call,
    kinds.TOOL_RESULT: Scratchpad._result,
    kinds.END: Scratchpad._end,
    kinds.REPORT: Scratchpad._report,
}
