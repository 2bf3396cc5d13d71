"""The names that other files may have looked for when files appear or vanish."""

from __future__ import annotations

from collections.abc import Collection, Iterator

# A file with such a name represents its folder.
_FOLDER_FILES = ("__init__", "index", "mod", "lib", "main")
# Files that may declare names for all others.
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
# Files whose names depend on all files in their folder.
_PACKAGE_FILES = (".go", ".rs")


def changed_names(paths: Collection[str], others: Collection[str]) -> set[str]:
    """Returns the names, without extension, of files that appear or vanish and of folders that do with them.

    `others` are the files that exist before and after. A file that makes its folder a package also changes what the
    names of the other files in the folder mean.
    """
    if not paths:
        return set()
    names: set[str] = set()
    folders: set[str] = set()
    packages: set[str] = set()
    for path in paths:
        folder, _, file = path.rpartition("/")
        stem = file.partition(".")[0]
        names.add(stem)
        names.update(_places(path))
        if stem in _FOLDER_FILES:
            names.add(folder.rpartition("/")[2])
            packages.add(folder)
        if path.endswith(_PACKAGE_FILES):
            names.add(folder.rpartition("/")[2] or ".")
        while folder:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    for path in others:
        folder, _, file = path.rpartition("/")
        if folder in packages:
            names.add(file.partition(".")[0])
        elif folder.rpartition("/")[0] in packages and folder:
            names.add(folder.rpartition("/")[2])
        while folder in folders:
            folders.discard(folder)
            folder = folder.rpartition("/")[0]
    return names | {folder.rpartition("/")[2] for folder in folders}


def _places(path: str) -> Iterator[str]:
    """Yields a path without its extensions, with some of them, and with all: imports may name any of these."""
    folder, slash, file = path.rpartition("/")
    parts = file.split(".")
    for count in range(1, len(parts) + 1):
        yield f"{folder}{slash}{'.'.join(parts[:count])}"
