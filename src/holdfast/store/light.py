"""Opens a store for one hook: a few reads about files and words, in milliseconds. Knows the engines, as `open` does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from holdfast.core.light_memory import LightMemory
    from holdfast.system.project import ProjectIdentity

    class LightStore(Protocol):
        """What a hook reads and writes while the agent waits. Leaves out what the session was given before."""

        def project(self, identity: ProjectIdentity) -> str | None:
            """The id of a registered project; None if the store does not know it."""
            ...

        def about_files(
            self, project: str, session: str, files: Sequence[str], types: Sequence[str]
        ) -> list[LightMemory]:
            """The memories of these types about these files, in the order of the files, newest first."""
            ...

        def about_words(
            self, project: str, session: str, match: str, types: Sequence[str], most: int
        ) -> list[LightMemory]:
            """The memories of these types among the best `most` passages of a full-text query."""
            ...

        def taught_since(self, project: str, session: str, since: float, types: Sequence[str]) -> list[LightMemory]:
            """The memories of these types that a person or another session taught since then, oldest first."""
            ...

        def supply(self, project: str, session: str, ids: Sequence[str], count: bool = True) -> bool:
            """Records that a session was given these memories, and counts the use. False if the store was busy."""
            ...

        def forget_supplied(self, project: str, session: str) -> bool:
            """Forgets what a session was given: its context was cut."""
            ...

        def close(self) -> None: ...


def open_light(address: str) -> LightStore | None:
    """Opens the store at an address; None if it does not exist or has to be migrated first."""
    from holdfast.store.sqlite.sqlite_light import SqliteLightStore

    return SqliteLightStore.open(address)
