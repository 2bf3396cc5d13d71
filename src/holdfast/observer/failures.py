"""Recognises failures in the results of tools, and gives the same failure the same fingerprint in every session."""

from __future__ import annotations

import json
import os
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

_EXAMINED_LINES, _EXAMINED, _LONGEST_LINE, _HEADLINE, _FINGERPRINT, _MOST_RULES = 60, 8_000, 500, 240, 160, 10
# What a client says about its own tools or its user, which tells nothing about the project.
_OF_THE_CLIENT = (
    "the user doesn't want to proceed", "<tool_use_error>", "permission to use", "[request interrupted",
    "sibling tool call errored", "request was aborted", "inputvalidationerror", "claude requested permissions",
    "agent type", "unknown skill", "command timed out", "tool execution aborted", "is temporarily unavailable",
)  # fmt: skip
_ABOUT_FAILURE = (
    r"\b(?:error|panic|fatal|exception|failed|failure|cannot|can't|undefined|undeclared|not found|denied|no such"
    r"|refused|timed? ?out|unknown|unrecognized|invalid|missing|mismatch|conflict|does not|doesn't|could not|couldn't"
    r"|unable|no \w+ (?:found|specified|configured))\b|^--- FAIL|✗|❌|^[a-z_][\w.]*(?:error|exception): \S"
)
# Lines that mean a failure even where the tool reports success, as it does at the end of a pipe.
_CERTAIN = (
    r"^--- FAIL|^FAIL\b|^Traceback \(most recent call last\)|^panic:|^error(?:\[E\d+\])?:|: error TS\d+|^fatal:"
    r"|^E   \w|\bERROR task failed|^npm ERR!|^FAILED |(?<!\d)[1-9]\d*+ failed\b"
    # The only line, as it is left by `| tail -1`.
    r"|\A\s*+[A-Za-z_][\w.]*(?:Error|Exception): [^\n]++\s*+\Z"
)
# Lines that say nothing about the cause.
_EMPTY = (
    r"(?i)^(?:exit code \d+|(?:\[[\w:-]+\] )?\$ .*|\[[\w:-]+\] error task failed|process exited.*"
    r"|(?:[\w.-]+: )?command failed.*"
    r"|error: script .* exited with code \d+|error: process .* exited.*|error: recipe .* failed.*"
    r"|[=━─-]+|error:?|[\w-]+(?: \w+)? v?\d+\.\d+[\w. ()-]*|fail(?:ed)?\b.*\[build failed\]|.*finished in [\d.]+.*"
    r"|[#?:|>●]+\s.*|.*\[no test files\]|at [\w./-]+(?: \w+)?|[\w./-]+:|✓.*|ok\s.*|=== RUN.*|--- PASS.*|\(pass\).*"
    # What build tools say while they work, and where a message points to.
    r"|(?:compiling|checking|finished|running|downloading|downloaded|installing|using|building|doc-tests|blocking)\b.*"
    r"|test result: ok.*|--> .*|diff in .*|error trace:.*|test:\s.*|\s*\^+|\(node:\d+\).*|traceback \(most.*|file \".*"
    r"|.*\b(?:failed: 0|0 (?:failed|errors?))\b.*|[+-]\s.*|\|\|.*"
    r"|\d*\s*\d*\s*[│|].*|found \d+ errors?\b.*|for more information .*|.*\bunable to compile\b.*|test failed\. .*"
    # The line of code that threw, and a picture or a record of the failure.
    r"|throw \w+;.*|\S+\.(?:png|webm|zip|log|html))$"
)
# Where a message is: at its beginning, for people to click on; or the shell that says it.
_PLACE = r"^(?:at )?[\w./\\@-]+[:(]\d+(?:[:,]\d+)?\)?:?\s*(?:-\s*)?|\s*[━─]{3,}.*$|\s+FIXABLE\b"
# With a column, as linters and compilers name it; what a test logs has only a line.
_IN_FILE = r"^(?:at )?[\w./\\@-]+\.[A-Za-z]\w{0,5}(?::\d+:\d|\(\d+,\d)"
# The rule that a linter names at the end of its complaint, with the number or name of the check, if it has one:
# "G304: … (gosec)", "Error return value … is not checked (errcheck)". What only a compiler says is no rule.
_RULE = r"^(?:([A-Za-z]+\d+|[a-z]+[A-Z]\w*): )?.*\((?!typecheck\))([a-z][a-z0-9]*(?:[-/][a-z0-9]+)*)\)$"
_SHELL = r"^(?:(?:/[\w/]*/)?(?:ba|z|da)?sh: (?:line )?\d+: |\(eval\):\d+: |zsh: |bash: )"
_COLOURS = r"\x1b(?:\[[0-9;]*[A-Za-z]|\([AB])"
# The last line of a traceback.
_RAISED = r"^[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning): \S"
# A folder of the person's, or for temporary files: others have it elsewhere, and it says who it was.
_OWN_FOLDER = (
    r"(?:/(?:Users|home)/|/(?:private/)?(?:var/folders|tmp)/|\b[A-Za-z]:\\Users\\)"
    r"[\w.@~+-]*(?:[/\\][\w.@~+-]+)*(?=[/\\])"
)
# Signs that draw a frame around a message.
_FRAME = " \t│╭╮╰╯─━┃"
_OF_THE_PLACE = (
    r"(?i)\bmain module\b|\bgo\.mod\b|\bcargo\.toml\b|\bpackage\.json\b|\bpyproject\.toml\b|\bnot a git repository\b"
    r"|command not found|\bno such (?:command|file)\b|\bunknown (?:flag|option|command)\b|\bunrecognized subcommand\b"
)
_NOT_FOUND = "command not found"
_NO_PROGRAM = (
    r"^([\w.-]+): (?:command )?not found$|^command not found: ([\w.-]+)$"
    r"|The term '([\w.-]+)' is not recognized|^'([\w.-]+)' is not recognized as an internal"
)
_VARIABLE = (
    (r"\x1b\[[0-9;]*m", ""),
    (r"(?:[\w.@~-]*/)+[\w.@-]*", "<path>"),
    (r"\b[\w-]+\.(?:go|py|ts|tsx|js|jsx|rs|java|rb|c|h|cc|cpp|cs|kt|swift|php|md|json|ya?ml|toml)\b", "<path>"),
    (r"\"[^\"\n]{0,120}\"|'[^'\n]{0,120}'|`[^`\n]{0,120}`", "<text>"),
    (r"0x[0-9a-fA-F]+|\b[0-9a-f]{7,40}\b", "<hash>"),
    (r"\d+(?:\.\d+)?(?:ms|µs|s|m|h)?\b", "<n>"),
    (r"\s+", " "),
)


# Warnings, and what a program logs while it is tested.
_LOGGED = (
    r"(?i)\bwarn(?:ing)?\b|^⚠|^\[[A-Z]\w+\] |\bskipp(?:ed|ing)\b|\b(?:info|debug|trace)\b[ :=]"
    r"|\b\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:"
)
_FILE = os.path.join(os.path.dirname(__file__), "data", "routine_failures.json")


class Failure(NamedTuple):
    """A failure: the line that names its cause, and that line without paths, numbers, addresses and quoted texts."""

    fingerprint: str
    headline: str
    # The program that the shell did not find.
    program: str = ""
    # Does a linter enforce it as a rule? Then the fingerprint is the rule, however its complaint is worded.
    rule: bool = False


class _Complaint(NamedTuple):
    """A line about a failure, without the place that it names; and whether it names one."""

    line: str
    in_file: bool


def failure_of(text: str, error: bool) -> Failure | None:
    """The failure that a tool's result reports; None if it succeeded, or if only the client refused the call.

    A failure whose output names no cause has no headline.
    """
    text = compiled(_COLOURS).sub("", text[:_EXAMINED])
    if any(text[:200].lower().lstrip().startswith(said) or said in text[:80].lower() for said in _OF_THE_CLIENT):
        return None
    if not error and not compiled("(?m)" + _CERTAIN).search(text):
        return None
    return _failure(next(_complaints(text), _Complaint("", False)))


def further_rules(text: str, first: Failure) -> list[Failure]:
    """The other rules of a linter that its output says were broken."""
    found = {first.fingerprint: first}
    for complaint in islice(_complaints(compiled(_COLOURS).sub("", text[:_EXAMINED])), 1, None):
        failure = _failure(complaint)
        if failure.rule and len(found) <= _MOST_RULES:
            found.setdefault(failure.fingerprint, failure)
    return list(found.values())[1:]


def _failure(complaint: _Complaint) -> Failure:
    headline = complaint.line
    if missing_program(headline):
        # Each shell words it in its own way.
        return Failure(_NOT_FOUND, _NOT_FOUND, missing_program(headline))
    if complaint.in_file and (rule := compiled(_RULE).match(headline)):
        return Failure(" ".join(filter(None, reversed(rule.groups()))).lower(), headline, rule=True)
    return Failure(fingerprint(headline), headline, rule=bool(headline) and not compiled(r"\s").search(headline))


def missing_program(headline: str) -> str:
    """The program that the shell did not find; empty if the failure is another one."""
    found = compiled(_NO_PROGRAM).search(headline)
    return next(filter(None, found.groups()), "") if found else ""


def _complaints(text: str) -> Iterator[_Complaint]:
    """The lines about a failure, or that name a place in a file; of a traceback, its last line."""
    raised = "Traceback (most recent call last)" in text
    for said in text.splitlines()[:_EXAMINED_LINES]:
        said = compiled(_SHELL).sub("", said.strip(_FRAME)[:_LONGEST_LINE])
        line = compiled(_PLACE).sub("", said).strip()
        if not line or compiled(_EMPTY).match(line) or (compiled(_LOGGED).search(line) and not raised):
            continue
        in_file = compiled(_IN_FILE).match(said) is not None
        about = in_file or compiled(_ABOUT_FAILURE).search(line.lower())
        if compiled(_RAISED).search(line) if raised else about:
            yield _Complaint(compiled(_OWN_FOLDER).sub("…", line)[:_HEADLINE], in_file)


def is_about_place(headline: str) -> bool:
    """Does a failure say that a command ran in the wrong folder, or lacks a program? No edit resolves that."""
    return compiled(_OF_THE_PLACE).search(headline) is not None


def is_routine(headline: str) -> bool:
    """Is it a slip that every edit can make, such as an unused import? It tells nothing about the project."""
    return any(compiled(pattern).search(headline) for pattern in _routine())


@cache
def _routine() -> tuple[str, ...]:
    with open(_FILE, encoding="utf-8") as opened:
        return tuple(json.load(opened))


def fingerprint(line: str) -> str:
    """The line without what differs from one occurrence to the next. A single word, such as a linter's rule, stays."""
    if not compiled(r"\s").search(line.strip()):
        return line.strip().lower()[:_FINGERPRINT]
    for pattern, instead in _VARIABLE:
        line = compiled(pattern).sub(instead, line)
    return line.strip().lower()[:_FINGERPRINT]
