"""Reads the identity of the project that a folder belongs to, without running git.

A project is recognised by its git remote, its git common directory, its root commit or a marker file, so that
worktrees share one memory and a moved folder keeps it. The store compares these attributes.
"""

from __future__ import annotations

import os
from collections import namedtuple

from holdfast.system.files import read_file

# Between the folder of a project and a person in the register of projects.
OF_USER = "::"
MARKER = os.path.join(".holdfast", "project")
# Larger files are ignored: git's own are smaller, and a link may lead anywhere.
_LARGEST_FILE = 16 * 1024 * 1024

# A named tuple and os.path because every hook imports this: dataclasses and pathlib would double the start-up time.
ProjectIdentity = namedtuple("ProjectIdentity", "root name common_dir remote marker user", defaults=("",))


def read_identity(folder: str, identity: str = "git") -> ProjectIdentity:
    """The identity of a folder's project. Outside git, its root is the nearest folder with a marker, else itself."""
    folder = os.path.realpath(folder)
    git = find_up(folder, ".git") if identity == "git" else None
    if git is not None:
        common = _common_dir(os.path.join(git, ".git"))
        if common is not None:
            remote = _remote(os.path.join(common, "config"))
            return ProjectIdentity(git, _name(remote, common, git), common, remote, _marker(git))
    root = find_up(folder, MARKER) or folder
    return ProjectIdentity(root, os.path.basename(root) or root, None, None, _marker(root))


def part_of_user(project: ProjectIdentity, user: str) -> ProjectIdentity:
    """The identity of one person's part of a project, which is isolated from others like a project."""
    user = composed(user)
    return ProjectIdentity(f"{project.root}{OF_USER}{user}", f"{project.name}:{user}", None, None, None, user)


def composed(name: str) -> str:
    """A name with one character for each accented letter: some systems write the letter and its accent apart."""
    if name.isascii():
        return name
    import unicodedata  # Imported here: most names are ASCII.

    return unicodedata.normalize("NFC", name)


def head_commit(folder: str) -> str | None:
    """The checked-out commit, read from git's files; None outside git or before the first commit.

    Returns a commit's hexadecimal digits or None, never other text: HEAD may come from a hostile archive and name any
    file, and its first line would be stored as a memory's commit.
    """
    root, git_dir, head = _head(folder)
    if root is None or git_dir is None or head is None:
        return None
    if not head.startswith("ref: "):
        return _commit(head)
    common = _common_dir(os.path.join(root, ".git")) or git_dir
    ref = head[5:]
    if not _is_ref(ref):
        return None
    for place in (git_dir, common):
        commit = _first_line(os.path.join(place, *ref.split("/")))
        if commit:
            return _commit(commit)
    return _commit(_packed(os.path.join(common, "packed-refs"), ref))


def checked_out_branch(folder: str) -> str | None:
    """The checked-out branch, read from git's files; None outside git and for a detached HEAD."""
    _, _, head = _head(folder)
    ref = head[5:] if head and head.startswith("ref: ") else ""
    return ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") and _is_ref(ref) else None


def head_branch(folder: str) -> str:
    """The checked-out branch, read from git's files; empty outside git and on no branch."""
    root = find_up(os.path.realpath(folder), ".git")
    git_dir = _git_dir(os.path.join(root, ".git")) if root else None
    head = _first_line(os.path.join(git_dir, "HEAD")) if git_dir else None
    return head[16:216] if head and head.startswith("ref: refs/heads/") and _is_ref(head[5:]) else ""


def git_folders(folder: str) -> tuple[str, ...]:
    """The folders that git keeps its files in: that of the worktree and the one that all worktrees share."""
    root = find_up(os.path.realpath(folder), ".git")
    if root is None:
        return ()
    dot_git = os.path.join(root, ".git")
    found = (_git_dir(dot_git), _common_dir(dot_git))
    return tuple(dict.fromkeys(os.path.realpath(one) for one in found if one))


def find_up(folder: str, name: str) -> str | None:
    """The nearest folder that has a file or folder of this name: the folder itself or one above it."""
    while True:
        if os.path.exists(os.path.join(folder, name)):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def normalise_remote(url: str) -> str:
    """Normalises the URL of a remote: `git@Host:a/b.git` and `https://user:key@host/a/b` become `host/a/b`."""
    text = url.strip().rstrip("/")
    if "://" in text:
        scheme, text = text.split("://", 1)
        if scheme == "file":
            return os.path.realpath(text)
    elif ":" in text and not text.startswith(("/", ".")) and "/" not in text.split(":", 1)[0]:
        text = text.replace(":", "/", 1)
    elif text.startswith(("/", ".")):
        return os.path.realpath(text)
    host, _, path = text.rpartition("@")[2].partition("/")
    host = host.split(":", 1)[0].lower()
    return f"{host}/{path.strip('/').removesuffix('.git')}"


def relative(path: str, root: str) -> str | None:
    """A path relative to the project, with forward slashes; None when it is outside the project."""
    full = os.path.normpath(os.path.join(root, path))
    if full != root and not full.startswith(root.rstrip(os.sep) + os.sep):
        return None
    return os.path.relpath(full, root).replace(os.sep, "/")


def _head(folder: str) -> tuple[str | None, str | None, str | None]:
    """The root of the repository, its git folder and the text of HEAD, as far as there are any."""
    root = find_up(os.path.realpath(folder), ".git")
    git_dir = _git_dir(os.path.join(root, ".git")) if root else None
    return root, git_dir, _first_line(os.path.join(git_dir, "HEAD")) if git_dir else None


def _git_dir(dot_git: str) -> str | None:
    if os.path.isdir(dot_git):
        return dot_git
    line = _first_line(dot_git)
    if not line or not line.startswith("gitdir: "):
        return None
    return os.path.normpath(os.path.join(os.path.dirname(dot_git), line[8:]))


def _common_dir(dot_git: str) -> str | None:
    git_dir = _git_dir(dot_git)
    if git_dir is None or not os.path.exists(os.path.join(git_dir, "HEAD")):
        return None
    common = _first_line(os.path.join(git_dir, "commondir"))
    return os.path.realpath(os.path.join(git_dir, common) if common else git_dir)


def _remote(config: str) -> str | None:
    """The URL of `origin`, or of the first remote."""
    urls: dict[str, str] = {}
    section = ""
    for line in _lines(config):
        if line.startswith("["):
            section = line.strip("[]").replace('"', "").strip()
        elif section.startswith("remote ") and line.replace(" ", "").startswith("url="):
            urls.setdefault(section[7:], line.split("=", 1)[1].strip())
    url = urls.get("origin") or next(iter(urls.values()), None)
    return normalise_remote(url) if url else None


def _name(remote: str | None, common: str, root: str) -> str:
    # Not that of a folder on this machine: mirrors and bare clones have names such as `repo` and `git`.
    if remote and not os.path.isabs(remote):
        return remote.rsplit("/", 1)[-1]
    home = os.path.dirname(common) if os.path.basename(common) == ".git" else root
    return os.path.basename(home) or home


def _marker(root: str) -> str | None:
    return next(iter(_lines(os.path.join(root, MARKER), links=False)), None)


def _is_ref(name: str) -> bool:
    """Is it the name of a ref below `refs/`, so that its file lies inside the git folder?"""
    return name.startswith("refs/") and ".." not in name.replace("\\", "/").split("/") and "\0" not in name


def _commit(text: str | None) -> str | None:
    """The text if it is a commit (40 hexadecimal digits, or 64 with SHA-256), else None."""
    return text if text and len(text) in (40, 64) and set(text.lower()) <= set("0123456789abcdef") else None


def _packed(file: str, ref: str) -> str | None:
    for line in _lines(file):
        if line.endswith(" " + ref):
            return line.split(" ", 1)[0]
    return None


def _first_line(file: str) -> str | None:
    return next(iter(_lines(file)), None)


def _lines(file: str, links: bool = True) -> list[str]:
    """The lines of a file that may have come with the project; none if it is no regular file."""
    try:
        text = read_file(file, _LARGEST_FILE, links=links).decode(errors="replace")
    except (OSError, ValueError):
        return []  # It does not exist, cannot be read, or its name is not valid.
    return [line.strip() for line in text.splitlines() if line.strip()]
