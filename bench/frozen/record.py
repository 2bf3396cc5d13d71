"""Records the lines of a section and compares them with those of an earlier version."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from difflib import unified_diff
from importlib import import_module
from pathlib import Path
from typing import Any

# The lines of each part of a section.
Values = Mapping[str, Sequence[str]]


def measure(name: str, data: Path) -> tuple[Values | None, float]:
    """The lines of a section, and the time they took; no lines if the section needs data that is missing."""
    started = time.perf_counter()
    section: Callable[[Path], Values | None] = import_module(f"bench.frozen.{name}").values
    return section(data), time.perf_counter() - started


def write(name: str, found: Values, hashes: Path, values: Path) -> None:
    """Records the hashes of a section, and its lines."""
    save(hashes / f"{name}.json", {part: hashed(lines) for part, lines in sorted(found.items())})
    save(values / f"{name}.json", found)


def compare(name: str, found: Values, hashes: Path, values: Path, shown: int | None = None) -> list[str]:
    """Describes how a section differs from what was recorded, with lines if those were recorded too."""
    recorded, earlier = _read(hashes / f"{name}.json"), _read(values / f"{name}.json")
    differences: list[str] = []
    for part in sorted({*recorded, *found}):
        now = hashed(found[part]) if part in found else "missing"
        if recorded.get(part, "missing") == now:
            continue
        differences.append(f"{name}/{part}: {recorded.get(part, 'missing')} → {now}")
        if hashed(earlier.get(part, ())) == recorded.get(part):
            changed = list(unified_diff(earlier[part], found.get(part, ()), lineterm="", n=0))[2:]
            lines = [line for line in changed if not line.startswith("@@")]
            differences += [f"  {line}" for line in lines[:shown]]
            differences += [f"  … and {len(lines) - shown} more"] if shown and len(lines) > shown else []
        else:
            differences.append(f"  (its recorded lines are not in {values}: run --write on the earlier version)")
    return differences


def hashed(lines: Sequence[str]) -> str:
    """The number of lines and a hash of them."""
    return f"{len(lines)} {hashlib.sha256(chr(10).join(lines).encode()).hexdigest()[:16]}"


def save(file: Path, content: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _read(file: Path) -> dict[str, Any]:
    recorded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return recorded
