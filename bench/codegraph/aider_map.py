"""Makes the repository map of aider for the files on standard input; prints the seconds of processor time it took.

Runs in a Python that has aider installed, not in that of Holdfast. Importing aider is not counted.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path


class _Model:
    """Counts tokens by length: the map asks for it only to fit its result into a limit."""

    def token_count(self, text: str) -> int:
        return len(text) // 4


def main() -> None:
    from aider.io import InputOutput  # type: ignore[import-not-found] # it has an environment of its own
    from aider.repomap import RepoMap  # type: ignore[import-not-found] # it has an environment of its own

    root, files = sys.argv[1], sys.stdin.read().split("\0")
    with tempfile.TemporaryDirectory() as cache:
        RepoMap.TAGS_CACHE_DIR = str(Path(cache) / "tags")  # none is kept: the map is made from the beginning
        started = time.process_time()
        RepoMap(root=root, main_model=_Model(), io=InputOutput(pretty=False, yes=True)).get_repo_map(
            [], [str(Path(root) / file) for file in files]
        )
        print(time.process_time() - started)


if __name__ == "__main__":
    main()
