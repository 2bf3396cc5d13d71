"""The names that other files may have looked for when files appear or vanish."""

from __future__ import annotations

from collections.abc import Collection

# A file with such a name stands for its folder.
_FOLDER_FILES = ("__init__", "index", "mod", "lib", "main")
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
