"""The local files that go with a store. Every hook imports this module, so it imports only `os`."""

from __future__ import annotations

import os

_NAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
# Two names and the ending of a file beside a journal have to fit into the 255 bytes of a file name.
_LONGEST_NAME = 100


class DataFolder:
    """The folder of a store's local files: journals of agents' sessions, and projects that have no other folder.

    `name` keeps apart the journals of stores that share a folder.
    """

    __slots__ = ("name", "path")

    def __init__(self, path: str, name: str) -> None:
        self.path = path
        self.name = name

    @classmethod
    def beside(cls, file: str) -> DataFolder:
        """The folder of a database that is a file."""
        return cls(*os.path.split(file))

    @property
    def projects(self) -> str:
        """The folder of projects that an application named, and that have no other folder."""
        return os.path.join(self.path, "projects")

    def journals(self, project: str) -> str:
        """The folder of the journals of one project."""
        return os.path.join(self.path, f"{self.name}-journals", file_name(project))


def file_name(name: str) -> str:
    """A name as a file name: other characters are replaced, and a number of the whole name keeps it distinct."""
    kept = "".join(letter if letter in _NAME_LETTERS else "_" for letter in name[:_LONGEST_NAME]).lstrip(".")
    if kept and kept == name:
        return kept
    from zlib import crc32

    return f"{kept or '_'}-{crc32(name.encode('utf-8', 'surrogatepass')):08x}"
