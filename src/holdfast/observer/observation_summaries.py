"""Sums up an observation over its sessions: the values for the text of its memory, or None if they disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from statistics import mean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.store.writing.observations import SeenObservation

    Values = dict[str, str]
    Every = Callable[[], Sequence[SeenObservation]]
    Summary = Callable[[Sequence[SeenObservation], Every], Values | None]

# A check belongs to the recipe if so many sessions ended with it, and this share of all that ended with checks.
_LEAST_CHECKS, _CHECKS_SHARE = 3, 0.3
# The share of sessions that must agree on an order, or on what takes longer.
_AGREEING = 0.75
# A module is calibrated if its tasks take this much more or less than those of the whole project.
_REMARKABLE = 1.25


def summary(seen: Sequence[SeenObservation], every: Every) -> Values | None:
    """The values of an observation. `every` reads all observations of its signal, under any key."""
    needed, sum_up = _SUMMARIES.get(seen[-1].signal, ("", _latest))
    seen = [one for one in seen if not needed or one.values.get(needed)]
    values = sum_up(seen, every) if seen else None
    if values is None:
        return None
    values = {"n": str(len(seen)), **values}
    return {**values, "seen": _seen(int(values["n"]), max(int(one.values.get("agents", 1)) for one in seen))}


def _seen(sessions: int, agents: int) -> str:
    """In how many sessions something was seen, or by how many agents of one session."""
    if sessions == 1:
        return f"{agents} agents of one session" if agents > 1 else "1 session"
    return f"{sessions} sessions"


def listed(names: Iterable[str]) -> str:
    """Names in backticks, as a sentence lists them."""
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " and " + quoted[-1]


def common_words(commands: Sequence[str]) -> str:
    """The words that all commands begin with."""
    alike = takewhile(lambda words: len(set(words)) == 1, zip(*map(str.split, commands), strict=False))
    return " ".join(words[0] for words in alike)


def capitalised(text: str) -> str:
    """The text as a sentence begins; a name of code at its beginning stays as it is."""
    first, *_ = text.split(maxsplit=1) or [""]
    return text[:1].upper() + text[1:] if first.strip(",.;:'").isalpha() and first[1:] == first[1:].lower() else text


def _latest(seen: Sequence[SeenObservation], every: Every) -> Values:
    # What resolved a failure may be known from an earlier session only.
    remedy = next((one.values["remedy"] for one in reversed(seen) if one.values.get("remedy")), "")
    command = common_words([one.values.get("command", "") for one in seen]) or seen[-1].values.get("command", "")
    # The words that all forms have in common say nothing about the one that works.
    remedy = "" if remedy == f"; `{command}` works" else remedy
    return {**seen[-1].values, "remedy": remedy, "command": command}


def _checks(seen: Sequence[SeenObservation], every: Every) -> Values | None:
    """The checks that many sessions ended with, in their usual order."""
    orders = _in_one_form([one.values["order"].split("\n") for one in seen])
    counts = Counter(command for order in orders for command in order)
    least = max(_LEAST_CHECKS, _CHECKS_SHARE * len(orders))
    places = {
        command: mean(order.index(command) / len(order) for order in orders if command in order)
        for command, count in counts.items()
        if count >= least
    }
    usual = sorted(places, key=lambda command: (places[command], command))
    return {"steps": listed(usual), "order": "\n".join(usual)} if len(usual) >= 2 else None


def _in_one_form(orders: Sequence[Sequence[str]]) -> list[list[str]]:
    """The orders with each command in its most frequent form: `go test` and `go test ./...` are one."""
    counts = Counter(command for order in orders for command in order)
    forms: dict[str, list[str]] = {}
    for one in counts:
        shortest = min((other for other in counts if f"{one} ".startswith(f"{other} ")), key=len)
        forms.setdefault(shortest, []).append(one)
    usual = {one: max(group, key=lambda form: (counts[form], form)) for group in forms.values() for one in group}
    # A command that was run in several forms takes the place of the last.
    return [list(dict.fromkeys(usual[one] for one in reversed(order)))[::-1] for order in orders]


def _test_order(seen: Sequence[SeenObservation], every: Every) -> Values | None:
    (first, count), *_ = Counter(one.values["first"] for one in seen).most_common(1)
    second = next(one.values["second"] for one in seen if one.values["first"] == first)
    agreed = count >= _LEAST_CHECKS and count / len(seen) >= _AGREEING
    return {"steps": f"`{first}`, then `{second}`", "n": str(count)} if agreed else None


def _calibration(seen: Sequence[SeenObservation], every: Every) -> Values | None:
    """How many steps a planned item of a module takes, compared with those of other modules; None if nearly as many."""
    module, planned = seen[-1].values["module"], [one for one in every() if one.values.get("planned")]
    others = [one for one in planned if one.values["module"] != module]
    if not others:
        return None
    own, elsewhere = _per_item(seen), _per_item(others)
    agreeing = sum((_per_item([one]) > elsewhere) == (own > elsewhere) for one in seen) / len(seen)
    if 1 / _REMARKABLE < own / _per_item(planned) < _REMARKABLE or agreeing < _AGREEING:
        return None
    advice = "plan smaller items" if own > elsewhere else "larger items are fine"
    figures = {"item": _figure(own), "elsewhere": _figure(elsewhere), "ratio": f"{own / elsewhere:.2g}"}
    return {"module": module, **figures, "advice": advice}


def _figure(steps: float) -> str:
    return f"{steps:.1f}".removesuffix(".0")


def _per_item(seen: Sequence[SeenObservation]) -> float:
    return sum(int(one.values["steps"]) for one in seen) / sum(int(one.values["planned"]) for one in seen)


# By signal: a value that an observation must have, and how the observations are summed up.
_SUMMARIES: dict[str, tuple[str, Summary]] = {
    "tool_sequence": ("order", _checks),
    "test_order": ("second", _test_order),
    "step_overrun": ("planned", _calibration),
}
