"""A small project with a client, a session, commands and tests, indexed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.workspace import Workspace

FILES = {
    "app/__init__.py": "from app.client import Client\n",
    "app/session.py": """\
class Session:
    def __init__(self, name):
        self.name = name

    def headers(self):
        return {"name": self.name}


def open_session(name) -> Session:
    return Session(name)


DEFAULT = open_session("default")
""",
    "app/client.py": """\
from app.session import Session, open_session


class Client:
    def __init__(self, session: Session):
        self.session = session

    def get(self, url):
        return self.session.headers()


def connect(name) -> Client:
    return Client(open_session(name))
""",
    "app/main.py": """\
from app.client import connect


def main():
    return connect("me").get("/")


if __name__ == "__main__":
    main()
""",
    "app/errors.py": """\
class AppError(Exception):
    pass


class Missing(AppError):
    pass
""",
    "app/store.py": """\
from app.errors import AppError, Missing


def load(key: str, default=None) -> dict:
    if not key:
        raise Missing(key)
    return {}


def handle(key):
    try:
        return load(key)
    except AppError:
        return None
""",
    "app/web.py": """\
from app.store import handle


@app.route("/items/<key>")
def item(key):
    return handle(key)
""",
    "pyproject.toml": "[project.scripts]\nkelp = 'app.main:main'\n",
    "app/unrelated.py": "def nothing():\n    return 1\n",
    "tests/test_session.py": """\
from app.session import open_session


class TestSession:
    def test_headers(self):
        assert open_session("a").headers()


def test_name():
    assert open_session("a").name
""",
    "tests/test_main.py": "from app.main import main\n\n\ndef test_main():\n    assert main()\n",
    "tests/helpers.py": "from app.session import Session\n",
}


def put(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


@pytest.fixture
def ws(tmp_path: Path, project: Path) -> Iterator[Workspace]:
    for path, text in FILES.items():
        put(project, path, text)
    with holdfast.open(db=str(tmp_path / "code.db"), project=str(project), background=False, embedder="none") as opened:
        opened.index(docs=False)
        yield opened
