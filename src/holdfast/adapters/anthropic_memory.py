"""Anthropic SDK: Claude's memory tool on virtual files, which exist only in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.adapters.agent_memory import not_installed
from holdfast.adapters.virtual_files import FileProblem, VirtualFiles

try:
    from anthropic.lib.tools import ToolError
    from anthropic.tools.memory import BetaAbstractMemoryTool
except ImportError as error:
    raise not_installed("the Anthropic SDK", "anthropic", error) from None

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.workspace import Workspace

_WIDTH = 6


class HoldfastMemoryTool(BetaAbstractMemoryTool):
    """The memory tool of Claude. Its files are under `/memories`, searched by `ws.recall`, and on no disk.

    Secrets in files are replaced by placeholders. No path leads out of the virtual folder.
    """

    def __init__(self, ws: Workspace, *, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._files = VirtualFiles(ws)

    def view(self, command: Any) -> str:
        """The content of a file with line numbers, or the files and folders up to two levels deep."""
        return self._checked(lambda: self._view(command))

    def create(self, command: Any) -> str:
        """Creates a file."""

        def create() -> str:
            if self._files.exists(command.path):
                raise FileProblem(f"File {command.path} already exists")
            self._files.write(command.path, command.file_text)
            return f"File created successfully at: {command.path}"

        return self._checked(create)

    def str_replace(self, command: Any) -> str:
        """Replaces a text that occurs once."""

        def change() -> str:
            text = self._files.read(command.path)
            places = _places(text, command.old_str)
            if not places:
                missing = f"old_str `{command.old_str}` did not appear verbatim in {command.path}."
                raise FileProblem(f"No replacement was performed, {missing}")
            if len(places) > 1:
                raise FileProblem(
                    f"No replacement was performed. Multiple occurrences of old_str `{command.old_str}` in lines: "
                    f"{', '.join(map(str, places))}. Please ensure it is unique"
                )
            changed = text.replace(command.old_str, command.new_str)
            self._files.write(command.path, changed)
            shown = _numbered(changed.split("\n"), max(1, places[0] - 2), places[0] + 2)
            return (
                f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{shown}"
            )

        return self._checked(change)

    def insert(self, command: Any) -> str:
        """Inserts text after a line."""

        def change() -> str:
            lines = self._files.read(command.path).splitlines()
            if not 0 <= command.insert_line <= len(lines):
                raise FileProblem(
                    f"Invalid `insert_line` parameter: {command.insert_line}. "
                    f"It should be within the range [0, {len(lines)}]."
                )
            lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
            self._files.write(command.path, "\n".join(lines) + "\n")
            return f"The file {command.path} has been edited."

        return self._checked(change)

    def delete(self, command: Any) -> str:
        """Deletes a file or a folder."""

        def delete() -> str:
            self._files.delete(command.path)
            return f"Successfully deleted {command.path}"

        return self._checked(delete)

    def rename(self, command: Any) -> str:
        """Moves a file or a folder."""

        def rename() -> str:
            self._files.rename(command.old_path, command.new_path)
            return f"Successfully renamed {command.old_path} to {command.new_path}"

        return self._checked(rename)

    def clear_all_memory(self) -> str:
        """Deletes all files."""
        self._files.clear()
        return "All memory cleared"

    def _view(self, command: Any) -> str:
        if self._files.is_folder(command.path):
            listed = "\n".join(f"{size}\t{path}" for size, path in self._files.listed(command.path))
            about = f"Here're the files and directories up to 2 levels deep in {command.path}, excluding hidden items:"
            return f"{about}\n{listed}"
        lines = self._files.read(command.path).split("\n")
        first, last = command.view_range if command.view_range else (1, -1)
        shown = _numbered(lines, max(1, first), len(lines) if last == -1 else last)
        return f"Here's the content of {command.path} with line numbers:\n{shown}"

    def _checked(self, act: Callable[[], str]) -> str:
        try:
            return act()
        except FileProblem as problem:
            raise ToolError(str(problem)) from None


def _places(text: str, part: str) -> list[int]:
    """The lines in which a text occurs, once for each occurrence."""
    found, start = [], text.find(part) if part else -1
    while start >= 0:
        found.append(text.count("\n", 0, start) + 1)
        start = text.find(part, start + 1)
    return found


def _numbered(lines: list[str], first: int, last: int) -> str:
    return "\n".join(f"{n:>{_WIDTH}}\t{line}" for n, line in enumerate(lines[first - 1 : last], first))
