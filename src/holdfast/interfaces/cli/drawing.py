"""Prints graphs in the languages of Graphviz and Mermaid."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from holdfast.interfaces.cli.terminal import clean_name

if TYPE_CHECKING:
    from holdfast.core.code_analysis import DataFlow, ModuleMap, ReachedCode

# A picture with more nodes cannot be read.
MOST_NODES = 60
_LINKS_DRAWN = 4


def draw_paths(start: str, reached: Sequence[ReachedCode], language: str) -> str:
    """Draws the paths from the start to the nearest and most closely related code."""
    chosen = sorted(reached, key=lambda code: (code.depth, -code.weight, code.name))[: MOST_NODES - 1]
    edges = {
        (one, two): type for code in chosen for one, two, type in zip(code.via, code.via[1:], code.types, strict=False)
    }
    tests = {code.name for code in chosen if code.is_test}
    return draw(
        [start, *(code.name for code in chosen)], [(*pair, type) for pair, type in edges.items()], tests, language
    )


def draw_flow(found: DataFlow, language: str) -> str:
    """Draws the ways from entry points to the target and on to what it calls."""
    passed = [step.via for step in found.passed_to[: MOST_NODES // 2]]
    ways = [*(arrival.via for arrival in found.arrivals), *passed]
    edges = dict.fromkeys((one, two, "") for way in ways for one, two in pairwise(way))
    nodes = dict.fromkeys([found.target, *(name for way in ways for name in way)])
    return draw(list(nodes)[:MOST_NODES], edges, [arrival.via[0] for arrival in found.arrivals], language)


def draw_modules(found: ModuleMap, language: str) -> str:
    """Draws the modules without tests and the strongest dependencies of each, with the number of pairs of files."""
    modules = [module for module in found.modules if module.role != "tests"][:MOST_NODES]
    edges = [(m.name, link.module, str(link.files)) for m in modules for link in m.needs[:_LINKS_DRAWN]]
    return draw([module.name for module in modules], edges, [m.name for m in modules if m.memories], language)


def draw(nodes: Iterable[str], edges: Iterable[tuple[str, str, str]], marked: Iterable[str], language: str) -> str:
    """Draws a graph in `dot` or `mermaid`: edges are pairs of nodes with a label, `marked` nodes are dashed."""
    numbers = {node: f"n{place}" for place, node in enumerate(dict.fromkeys(nodes))}
    kept = [(numbers[one], numbers[two], label) for one, two, label in edges if one in numbers and two in numbers]
    special = [numbers[node] for node in marked if node in numbers]
    return (_dot if language == "dot" else _mermaid)(numbers, kept, special)


def _dot(numbers: dict[str, str], edges: list[tuple[str, str, str]], marked: list[str]) -> str:
    lines = ["digraph code {", "  rankdir=LR;", "  node [shape=box, fontname=sans-serif, fontsize=10];"]
    lines += [
        f"  {number} [label={json.dumps(clean_name(node), ensure_ascii=False)}];" for node, number in numbers.items()
    ]
    lines += [f"  {number} [style=dashed];" for number in sorted(marked)]
    lines += [f"  {one} -> {two} [label={json.dumps(label)}, fontsize=8];" for one, two, label in edges]
    return "\n".join([*lines, "}"])


def _mermaid(numbers: dict[str, str], edges: list[tuple[str, str, str]], marked: list[str]) -> str:
    lines = ["flowchart LR"]
    lines += [f'  {number}["{_escaped(node)}"]' for node, number in numbers.items()]
    lines += [f"  {one} -->|{_escaped(label)}| {two}" if label else f"  {one} --> {two}" for one, two, label in edges]
    lines += [f"  style {number} stroke-dasharray: 4" for number in sorted(marked)]
    return "\n".join(lines)


def _escaped(text: str) -> str:
    """Replaces the characters that Mermaid would read as syntax or HTML."""
    return "".join(ch if ch.isalnum() or ch in " /._-:+%," else f"#{ord(ch)};" for ch in clean_name(text))
