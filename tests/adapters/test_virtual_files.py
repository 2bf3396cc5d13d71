"""The virtual files of the memory tool, without the SDK."""

from __future__ import annotations

from pathlib import Path

import pytest

import holdfast
from holdfast.adapters.virtual_files import FileProblem, VirtualFiles


@pytest.mark.parametrize("name", ["d/" * 20 + "x", "d/" * 3000 + "x", "n" * 501, "n" * 100_000])
def test_a_path_that_is_too_long_or_too_deep_is_a_problem_of_the_file(tmp_path: Path, name: str) -> None:
    path = f"/memories/{name}"
    with holdfast.open(str(tmp_path / "m.db"), "claude", embedder="none", background=False) as ws:
        files = VirtualFiles(ws)
        files.write("/memories/a", "tea")
        for act in (files.read, files.exists, files.delete, lambda path: files.write(path, "tea")):
            with pytest.raises(FileProblem, match="at most 20 names of at most 500 characters"):
                act(path)
        with pytest.raises(FileProblem, match="at most 20 names"):
            files.rename("/memories/a", path)
        assert files.read("/memories/a") == "tea"


def test_the_longest_and_deepest_path_works(tmp_path: Path) -> None:
    path = "/memories/" + "d/" * 19 + "n" * 500
    with holdfast.open(str(tmp_path / "m.db"), "claude", embedder="none", background=False) as ws:
        files = VirtualFiles(ws)
        files.write(path, "tea")
        assert files.read(path) == "tea"
