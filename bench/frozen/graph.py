"""The code graph of the sample projects in this repository and of some installed libraries."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import holdfast
from bench.child import ROOT

_LIBRARIES = ("attrs", "click", "httpx", "pytest", "starlette")
_FOLDERS = {"attrs": "attr", "pytest": "_pytest"}


def values(data: Path) -> Mapping[str, Sequence[str]]:
    """One line for each symbol, edge, entry point and unresolved name."""
    with tempfile.TemporaryDirectory() as folder:
        return {name: _graph(place) for name, place in _projects(Path(folder)).items()}


def _projects(folder: Path) -> dict[str, Path]:
    """Copies the projects into a folder: the names of libraries include their versions."""
    shutil.copytree(ROOT / "demo" / "tidepool", folder / "tidepool")
    projects = {"tidepool": folder / "tidepool"}
    for name, files in _written().items():
        projects[name] = folder / name
        for path, text in files.items():
            file = folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(dedent(text), encoding="utf-8")
    for name in _LIBRARIES:
        spec = find_spec(_FOLDERS.get(name, name))
        assert spec is not None
        assert spec.origin is not None
        projects[f"{name} {version(name)}"] = folder / name
        shutil.copytree(Path(spec.origin).parent, folder / name / "src" / Path(spec.origin).parent.name)
    return projects


def _written() -> Mapping[str, Mapping[str, str]]:
    """The small projects of tests; where a test puts any text at any path, four of the arrangements."""
    from tests.codegraph import test_go, test_index_updates, test_java, test_python_resolve, test_rust

    fleets = {"go": test_go.FLEET, "java": test_java.FLEET, "rust": test_rust.FLEET, "python": test_python_resolve.SHOP}
    mixed = {
        f"{language} {shift}": {path: texts[(at + shift) % len(texts)] for at, path in enumerate(paths)}
        for language, (paths, texts) in test_index_updates.PROJECTS.items()
        for shift in range(1, 5)
    }
    return {**fleets, **mixed}


def _graph(project: Path) -> Sequence[str]:
    settings = holdfast.Settings(background=False, embedder="none", identity="folder", memory_files=False)
    with holdfast.open(f"{project}.db", str(project), settings=settings) as ws:
        ws.index(docs=False, code=True)
        reading, own = ws.container.reading, ws.project
        stored, paths = reading.code_graph(own), {file.id: file.path for file in reading.code_files(own)}
        lines = [f"file {path} {language}" for path, language in stored.files]
        lines += [f"symbol {path} {symbol[:4]}" for path, symbol in stored.symbols]
        lines += [f"edge {edge}" for edge in stored.edges]
        lines += [f"entry {paths[file]} {entry}" for file, entry in reading.entry_points(own)]
        lines += [f"unresolved {path} {one}" for path in paths.values() for one in reading.unresolved(own, path)]
        return sorted(lines)
