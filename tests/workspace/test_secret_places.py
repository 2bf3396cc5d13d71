"""A secret in any text that a caller or a file provides reaches no file: database, export, generated files."""

from __future__ import annotations

import contextlib
import json
import random
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import Relation, Workspace
from holdfast.core.errors import HoldfastError
from holdfast.core.memory import Taint, WorkUnit

AT = "2026-01-01T00:00:00.000Z"


class Tokens:
    """Makes a new token for each place, and remembers which is whose."""

    def __init__(self) -> None:
        self.by_place: dict[str, str] = {}
        self._random = random.Random(3)

    def __call__(self, place: str) -> str:
        letters = "".join(self._random.choices(string.ascii_letters + string.digits, k=36))
        self.by_place[place] = "gh" + "p_" + letters
        return self.by_place[place]


@pytest.fixture
def token() -> Tokens:
    return Tokens()


def leaked(token: Tokens, folder: Path, *sources: Path) -> list[str]:
    """The places whose token is in a file of the folder, other than the sources."""
    files = [path for path in folder.rglob("*") if path.is_file() and path not in sources]
    stored = b"\n".join(path.read_bytes().lower() for path in files)
    assert stored
    return [place for place, secret in token.by_place.items() if secret.lower().encode() in stored]


def attempt(act: Callable[..., Any], *given: Any, **named: Any) -> None:
    """Refusing a secret is as good as removing it."""
    with contextlib.suppress(HoldfastError):
        act(*given, **named)


def exported(ws: Workspace, folder: Path) -> None:
    ws.sync_memory()
    for format in ("json", "markdown"):
        (folder / f"export.{format}").write_text(ws.export(format), encoding="utf-8")


def test_in_any_field_of_a_memory(tmp_path: Path, token: Tokens) -> None:
    (tmp_path / "project").mkdir()
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path / "project")) as ws:
        unit = WorkUnit(token("unit methodology"), (token("unit level"),), token("unit label"))
        fields: dict[str, dict[str, Any]] = {
            "tags": {"tags": (token("tags"),)},
            "files": {"files": (f"src/{token('files')}.txt",)},
            "modules": {"modules": (token("modules"),)},
            "session": {"session": token("session")},
            "commit": {"commit": token("commit")},
            "citation": {"citation": token("citation")},
            "source_role": {"source_role": token("source_role")},
            "methodology": {"methodology": token("methodology")},
            "source_ids": {"source_ids": (token("source_ids"),)},
            "attributes": {"attributes": {"x": {"y": [token("attribute")]}, token("attribute name"): 1}},
            "work_unit": {"work_unit": unit},
            "relations": {"relations": (Relation("required_with", file=f"src/{token('relation')}"),)},
            "taint": {"taint": Taint(token("taint"))},
        }
        for number, (name, values) in enumerate(fields.items()):
            attempt(ws.remember, f"The {name} of crane {number} is red.", **values)
        ws.remember("Sharding failed.", type="dead_end", approach_tried=token("field"), why_it_failed="slow")
        one = ws.remember(f"The bot deploys with {token('text')} on Tuesdays.").memory
        assert one is not None
        ws.flag(one.id, token("why"))
        ws.correct(one.id, f"The bot deploys with {token('corrected')}.", token("correction reason"))
        ws.forget(ws.list()[0].id, token("forget reason"))
        exported(ws, tmp_path)
        assert ws.count() > 10
    assert leaked(token, tmp_path) == []


def test_in_sessions_and_entities(tmp_path: Path, token: Tokens) -> None:
    (tmp_path / "project").mkdir()
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path / "project")) as ws:
        session = ws.session(f"s-{token('session id')}", kind=token("session kind"))
        session.say("user", f"Always deploy with {token('message')}.", tools=(token("tool"),))
        last = session.say("user", "Priya Sharma deploys on Tuesdays.").memory
        assert last is not None
        session.set_title(f"About {token('title')}")
        session.trim_before(last.id, f"They talked about {token('recap')}.")
        assert session.state() is not None
        assert ws.session(f"s-{token.by_place['session id']}").messages() == session.messages()
        ws.consolidate()
        ws.add_entity(f"Ann {token('entity')}", aliases=(token("alias"),))
        ws.add_entity("Bob")
        ws.describe_entity("Bob", token("summary"))
        ws.rename_entity("Bob", f"Robert {token('new name')}")
        exported(ws, tmp_path)
    assert leaked(token, tmp_path) == []


def test_in_documents(tmp_path: Path, token: Tokens) -> None:
    docs = tmp_path / "project" / "docs"
    docs.mkdir(parents=True)
    (docs / "front.md").write_text(
        f"---\ntitle: about {token('front matter title')}\nstatus: {token('front matter')}\n---\n\n"
        f"# Heading {token('heading')}\n\nThe key is {token('body')}.\n\n[x](https://x.io/?t={token('link')})\n"
    )
    (docs / f"named-{token('file name')}.md").write_text("# Named\n\nIts body.\n")
    (docs / "split.md").write_text(f"# Split\n\n{'a ' * 444}{token('chunk border')} b\n")
    sources = list(docs.iterdir())
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path / "project")) as ws:
        report = ws.index()
        assert [problem.reason.code for problem in report.problems] == ["documents.confidential_name"]
        attempt(ws.add_document, f"docs/{token('path')}.md", "# A\n\nbody")
        attempt(ws.add_document, "docs/t.md", "# A\n\nother body", title=token("title"), label=token("label"))
        attempt(ws.add_document, "docs/u.md", "# A\n\nthird body", doc_type=token("doc_type"))
        exported(ws, tmp_path)
    assert leaked(token, tmp_path, *sources) == []


def test_in_a_transcript(tmp_path: Path, token: Tokens) -> None:
    (tmp_path / "project").mkdir()
    file = tmp_path / "t.jsonl"
    message = {"role": "user", "content": f"Always use {token('text')}."}
    call = {"type": "tool_use", "name": token("tool name"), "input": {"x": token("tool input")}}
    answer = {"role": "assistant", "content": [{"type": "text", "text": "All done now."}, call]}
    about = {"sessionId": f"t-{token('session id')}", "cwd": str(tmp_path / "project"), "gitBranch": token("branch")}
    records = [
        {"type": "summary", "summary": token("summary"), "leafUuid": "u2"},
        {"type": "user", "uuid": "u1", "parentUuid": None, "timestamp": AT, "message": message, **about},
        {"type": "assistant", "uuid": "u2", "parentUuid": "u1", "timestamp": AT, "message": answer, **about},
    ]
    file.write_text("\n".join(map(json.dumps, records)))
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path / "project")) as ws:
        assert ws.import_transcript(str(file)).messages == 2
        ws.consolidate()
        exported(ws, tmp_path)
    assert leaked(token, tmp_path, file) == []


def test_in_an_imported_file(tmp_path: Path, token: Tokens) -> None:
    """Each text of the file by itself, because one that is refused refuses the whole file."""
    (tmp_path / "project").mkdir()
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path / "project")) as ws:
        whole = archive()
        assert ws.import_(json.dumps(whole))["added"] == 1
        for number, forged in enumerate(forgeries(whole, token)):
            forged["memories"][0]["content"] += f" It is number {number}."
            attempt(ws.import_, json.dumps(forged))
        attempt(ws.import_, f"# Memory\n\n- a line with {token('markdown')} inside\n", "markdown")
        exported(ws, tmp_path)
        assert len(token.by_place) > 40
        assert ws.count() > 20
    assert leaked(token, tmp_path) == []


def archive() -> dict[str, Any]:
    """An export in which every text is set."""
    memory = {
        "id": "fact_00000000000000000000000001", "type": "fact", "content": "The crane is tall.", "project": "p",
        "created_at": AT, "confidence": 0.8, "session": "s", "commit": "c", "modules": ["m"], "files": ["src/a.py"],
        "impacted_nodes": ["n"], "target_node": "t", "source": "agent_explicit", "source_role": "user", "tags": ["t"],
        "methodology": "native", "provenance_sessions": ["s"], "source_ids": ["x"], "citation": "crane",
        "relations": [{"kind": "required_with", "file": "src/b.py"}], "taint": {"tool": "web"},
        "chunk": {"type": "prose", "prefix": "p"}, "attributes": {"a": {"b": ["c"]}},
        "work_unit": {"methodology": "native", "hierarchy": ["h"], "label": "l"},
    }  # fmt: skip
    event = {"memory_id": memory["id"], "verb": "remember", "reason": "r", "detail": {"d": "e"}, "at": AT}
    session = {"id": "s", "kind": "build", "created_at": AT, "last_at": AT, "title": "t", "recap": "r"}
    history = {"id": "hist_1", "session": "s", "at": AT, "text": "para", "how": "extract", "tools": ["t"]}
    entity = {
        "id": "ent_1", "name": "Crane", "type": "person", "label": "person", "summary": "s", "created_at": AT,
        "aliases": ["Kranich"], "memories": [memory["id"]],
    }  # fmt: skip
    merge = {**entity, "id": "ent_2", "name": "Crane Two", "kept": "ent_1", "at": AT, "gained_names": ["g"]}
    sections = {"memories": [memory], "events": [event], "sessions": [session], "history": [history]}
    return {"format": "holdfast", "version": 2, "exported_at": AT, **sections, "entities": [entity], "merges": [merge]}


def forgeries(whole: dict[str, Any], token: Tokens) -> list[dict[str, Any]]:
    """The file once for each text in it, with a secret there, and new ids so that nothing is known already."""
    found: list[dict[str, Any]] = []
    for section in ("memories", "events", "sessions", "history", "entities", "merges"):
        for path in paths(whole[section][0]):
            text = json.dumps(whole).replace("00000000001", f"1{len(found):010d}").replace("_1", f"_1{len(found)}")
            found.append(json.loads(text))
            put(found[-1][section][0], path, token(f"{section}: {path}"))
    return found


def paths(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all texts of a value; a path that ends with None leads to the name instead of the value."""
    if isinstance(value, str):
        return [before]
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    is_free = isinstance(value, dict) and before[:1] in (("attributes",), ("detail",))
    names = [(*before, name, None) for name in value] if is_free else []
    return names + [path for name, one in inner for path in paths(one, (*before, name))]


def put(value: Any, path: tuple[Any, ...], secret: str) -> None:
    *above, last = path
    if last is None:
        *above, last = above
        for step in above:
            value = value[step]
        value[secret] = value.pop(last)
        return
    for step in above:
        value = value[step]
    value[last] = f"{value[last]} {secret}" if last in ("content", "text", "title", "recap", "summary") else secret
