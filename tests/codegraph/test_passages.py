"""Code in searches: cut at definitions, kept in step with the files, and left alone by everything for documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import holdfast
from holdfast.codegraph.languages.language_registry import language, language_name
from holdfast.codegraph.passages.spans import code_spans
from holdfast.codegraph.passages.texts import CodeTexts
from holdfast.models.contextual import passage_text

SOURCE = '''"""Tools."""

import os

LIMIT = 3


# Tries again.
@decorated
def fetch_page(url):
    for _ in range(LIMIT):
        print(url)
'''
LONG_CLASS = "class Store:\n    size = 1\n\n" + "".join(
    f"    def method_{n}(self):\n" + f"        value = {n}\n" * 60 + "\n" for n in range(3)
)
NESTED = (
    "class Outer:\n    class Inner:\n        def deep(self):\n"
    + "            x = 1\n" * 100
    + "    def flat(self):\n"
    + "        y = 2\n" * 100
)


def spans(path: str, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
    name = language_name(path)
    assert name is not None
    record = language(name).extract(path, text.encode(), "h")
    return [tuple(span) for span in code_spans(text, record.definitions)]  # type: ignore[misc] # as NamedTuple


def test_comments_and_decorators_belong_to_a_function() -> None:
    assert spans("a.py", SOURCE + "    return os.path\n" * 60) == [
        (1, 7, ()),
        (8, 72, ("function: fetch_page",)),
    ]


def test_a_long_class_is_cut_between_its_members() -> None:
    assert spans("a.py", LONG_CLASS) == [
        (1, 3, ("class: Store",)),
        (4, 64, ("class: Store", "method: Store.method_0")),
        (66, 126, ("class: Store", "method: Store.method_1")),
        (128, 188, ("class: Store", "method: Store.method_2")),
    ]


def test_classes_in_classes_are_cut_too() -> None:
    headings = [heading for _, _, heading in spans("a.py", NESTED)]
    assert ("class: Outer", "class: Outer.Inner", "method: Outer.Inner.deep") in headings
    assert ("class: Outer", "method: Outer.flat") in headings


def test_short_functions_share_a_chunk() -> None:
    text = "".join(f"def f{n}(): return {n}\n" for n in range(3))
    assert spans("a.py", text) == [(1, 3, ("function: f0, f1, f2",))]


def test_typescript_is_cut_too() -> None:
    body = "  const x = 1;\n" * 120
    text = f"export class Api {{\n  get() {{\n{body}  }}\n}}\n\nexport function run() {{\n{body}}}\n"
    assert [heading for _, _, heading in spans("a.ts", text)] == [
        ("class: Api",),
        ("class: Api", "method: Api.get"),
        ("class: Api",),
        ("function: run",),
    ]


_PIECES = st.sampled_from(
    [SOURCE, LONG_CLASS, NESTED, "x = [\n  1,\n]\n", "\n\n\n", "def f(): pass\n", "\x0c\n", "async def g():\n  pass\n"]
)


@given(st.lists(_PIECES, max_size=6).map("".join))
def test_spans_have_every_line_once_and_never_cut_a_function(text: str) -> None:
    record = language("python").extract("a.py", text.encode(), "h")
    found = code_spans(text, record.definitions)
    lines = [line for span in found for line in range(span.line, span.end_line + 1)]
    assert lines == sorted(set(lines))
    with_text = {n for n, line in enumerate(text.split("\n"), start=1) if line.strip()}
    assert with_text <= set(lines)
    for d in record.definitions:
        if d.kind in ("function", "method") and d.parent == -1:
            assert any(span.line <= d.start_line and d.end_line <= span.end_line for span in found), d.qualified


# -- in searches ------------------------------------------------------------------------------------------------------


class Project:
    """A folder with code, and its memory."""

    def __init__(self, root: Path, db: Path, **settings: Any) -> None:
        self.root = root
        self.ws = holdfast.open(
            db=str(db), project=str(root), embedder="none", background=False, identity="folder", **settings
        )

    def put(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def found(self, query: str) -> list[str]:
        return [hit.cited for hit in self.ws.recall(query, types=["code"]).hits]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    (tmp_path / "project").mkdir()
    made = Project(tmp_path / "project", tmp_path / "memory.db")
    made.put("app/net.py", SOURCE + "    return os.path\n" * 60)
    made.put("deploy.sh", "#!/bin/sh\n# Uploads the lighthouse pages.\nrsync out host:\n")
    yield made
    made.ws.close()


def test_functions_are_found_among_memories_with_their_place(project: Project) -> None:
    project.ws.remember("We fetch every page three times at most.", type="decision")
    project.ws.index()
    hits = project.ws.recall("fetch page url", abstain=False).hits
    assert {hit.type for hit in hits} == {"decision", "code"}
    code = next(hit for hit in hits if hit.type == "code")
    assert code.cited == "app/net.py:8-72"
    assert code.chunk is not None
    assert code.chunk.heading == ("function: fetch_page",)
    assert code.text.startswith("# Tries again.\n@decorated\ndef fetch_page(url):")
    assert passage_text(code.chunk).startswith("fetch page. Tries again.\n\n# Tries again.")


def test_files_without_a_grammar_are_found(project: Project) -> None:
    project.ws.index()
    assert project.found("uploads the lighthouse")[0] == "deploy.sh:1-3"


def test_chunks_follow_their_files(project: Project) -> None:
    project.put("app/other.py", "def lighthouse_lamp():\n    return 'bright'\n")
    project.ws.index()
    [before] = project.ws.recall("lighthouse_lamp", types=["code"]).hits
    (project.root / "app/other.py").rename(project.root / "app/lamp.py")
    project.ws.index()
    [after] = project.ws.recall("lighthouse_lamp", types=["code"]).hits
    assert (after.cited, after.id) == ("app/lamp.py:1-2", before.id)
    project.put("app/lamp.py", "def harbour_lamp():\n    return 'dim'\n")
    project.ws.index()
    assert project.found("harbour_lamp") == ["app/lamp.py:1-2"]
    texts = CodeTexts(project.ws.container.store.graph, project.ws.project, project.ws.root)
    assert texts.files().keys() == {"app/lamp.py", "app/net.py", "deploy.sh"}
    (project.root / "app/lamp.py").unlink()
    project.ws.index()
    assert project.found("harbour_lamp") == []


def test_code_is_no_document(project: Project) -> None:
    project.put("README.md", "# Lighthouse\n\nHow to keep the lamp.\n")
    project.ws.index()
    assert [document.path for document in project.ws.documents()] == ["README.md"]
    assert project.ws.index(code=False).removed == 0
    assert project.found("fetch_page") == ["app/net.py:8-72"]
    assert project.ws.gc().plan.chunks == 1
    assert project.ws.stats().documents == 1


def test_secrets_in_code_are_removed_and_generated_code_is_left_out(project: Project) -> None:
    key = "AKIA" + "Q3EGRIIJ7ABCDEFG"
    pem = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEowIBAAKCAQEA" * 8 + "\n-----END RSA PRIVATE KEY-----"
    project.put("keys.py", f'KEY = "{key}"\nPEM = """{pem}"""\n\n\ndef sign_lighthouse():\n    return KEY\n')
    project.put("made.py", "# Code generated by a tool. DO NOT EDIT\ndef generated_lamp(): ...\n")
    project.ws.index()
    hits = project.ws.recall("sign_lighthouse KEY", types=["code"], abstain=False).hits
    assert any("sign_lighthouse" in hit.text for hit in hits)
    assert all(key not in hit.text and "MIIEow" not in hit.text for hit in hits)
    assert project.found("generated_lamp") == []


def test_a_setting_keeps_code_out_of_searches(project: Project, tmp_path: Path) -> None:
    project.ws.index()
    project.ws.close()
    without = Project(project.root, tmp_path / "memory.db", index_code_chunks=False)
    without.ws.index()
    assert without.found("fetch_page") == []
    without.ws.close()
