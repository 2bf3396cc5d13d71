"""Memories bound to code: what they are bound to, and what happens to them when the code changes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import holdfast
from holdfast import Hit, Recall
from holdfast.codegraph.anchors.named_code import named_code, names_code
from holdfast.codegraph.anchors.sources import unchanged_share
from holdfast.core.anchor import CHANGED, FRESH, GONE
from holdfast.core.memory import Memory

CONFIG = '''"""Settings."""


def parse_config(text):
    rows = text.splitlines()
    return dict(row.split("=", 1) for row in rows)


class Loader:
    def load(self, path):
        with open(path) as file:
            return parse_config(file.read())

    def close(self):
        self.closed = True
'''
EDITED = CONFIG.replace("return dict(row", "return list(row")


class Project:
    """A folder with code, and its memory."""

    def __init__(self, root: Path, db: Path) -> None:
        self.root = root
        self.ws = holdfast.open(
            db=str(db), project=str(root), embedder="none", background=False, index_code=True, identity="folder"
        )

    def put(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        # Tests are faster than the clock of a file system, and an edit may keep the size.
        self._clock = getattr(self, "_clock", 1_600_000_000) + 10
        os.utime(file, (self._clock, self._clock))

    def remember(self, text: str, **fields):
        answer = self.ws.remember(text, **fields)
        assert answer.memory is not None, answer
        return answer.memory

    def check(self, id: str):
        self.ws.index(docs=False)
        return self.ws.get(id)

    def anchors(self, memory) -> list[tuple[str, str, str]]:
        return [(anchor.path, anchor.symbol, anchor.state) for anchor in memory.anchors]

    def verbs(self, id: str) -> list[str]:
        return [event.verb for event in self.ws.history(id)]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    root = tmp_path / "project"
    root.mkdir()
    made = Project(root, tmp_path / "memory.db")
    made.put("app/config.py", CONFIG)
    made.put("app/main.py", "from app.config import Loader\n\n\ndef main():\n    Loader().load('x')\n")
    yield made
    made.ws.close()


def state(memory: Memory | None) -> str:
    """How fresh a memory is."""
    assert memory is not None
    assert memory.freshness is not None
    return memory.freshness.state


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


# -- what a memory is bound to ---------------------------------------------------------------------------------------


def test_a_symbol_named_in_the_text_is_the_anchor(project: Project) -> None:
    memory = project.remember("parse_config ignores comments", type="gotcha", files=["app/config.py"])
    assert project.anchors(memory) == [("app/config.py", "parse_config", FRESH)]
    assert memory.target_node == "app/config.py:parse_config"
    [anchor] = memory.anchors
    assert (anchor.line, anchor.end_line) == (4, 6)


def test_a_file_without_a_named_symbol_is_the_anchor_as_a_whole(project: Project) -> None:
    memory = project.remember("All settings are read here and nowhere else.", files=["app/config.py"])
    assert project.anchors(memory) == [("app/config.py", "", FRESH)]


def test_a_path_in_the_text_is_the_anchor_and_becomes_a_file_of_the_memory(project: Project) -> None:
    memory = project.remember("In app/config.py the method `Loader.close` does not close anything.")
    assert project.anchors(memory) == [("app/config.py", "Loader.close", FRESH)]
    assert memory.files == ("app/config.py",)
    assert project.anchors(project.remember("See app/main.py:main for the start of the program.")) == [
        ("app/main.py", "main", FRESH)
    ]


def test_an_indexed_symbol_is_found_without_its_file(project: Project) -> None:
    project.ws.index(docs=False)
    memory = project.remember("parse_config() splits at the first equals sign.")
    assert project.anchors(memory) == [("app/config.py", "parse_config", FRESH)]
    assert project.anchors(project.remember("The main.py file starts the program.")) == [("app/main.py", "", FRESH)]


def test_what_is_ambiguous_or_unknown_is_no_anchor(project: Project) -> None:
    project.put("other/config.py", "def parse_config(): ...\ndef unknown_to_all(): ...\n")
    project.ws.index(docs=False)
    for text in ("parse_config() is slow.", "Look at config.py first.", "The missing/file.py was deleted.", "We load."):
        assert project.remember(text).anchors == ()


def test_messages_and_lists_of_files_are_not_bound(project: Project) -> None:
    session = project.ws.session("s")
    session.say("user", "parse_config in app/config.py is slow")
    state = project.remember("Working on app/config.py", type="work_state")
    assert state.anchors == ()


@pytest.mark.parametrize(
    ("text", "paths", "names"),
    [
        ("see src/app.py and lib\\x.ts.", ("src/app.py", "lib/x.ts"), ()),
        ("`Client.get` and fooBar, HttpServer", ("Client.get",), ("Client.get", "fooBar", "HttpServer")),
        ("run() then a.b.c()", ("a.b.c",), ("run", "a.b.c")),
        ("Text.wrap keeps spaces, e.g. at the end.And so on", ("Text.wrap",), ("Text.wrap", "end.And")),
        ("plain words, i.e. nothing", (), ()),
    ],
)
def test_names_in_the_notation_of_code(text: str, paths: tuple[str, ...], names: tuple[str, ...]) -> None:
    found = named_code(text)
    assert (set(paths) - set(found.paths), found.names) == (set(), names)
    assert names_code(text) == bool(found.paths or found.names)


@given(st.text(alphabet="a/.\\:`(_-A ", max_size=3000))
@settings(deadline=2000)
def test_any_text_is_searched_in_little_time(text: str) -> None:
    named_code(text * 7)


def test_files_outside_links_and_large_files_are_not_read(project: Project, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("def parse_secret(): ...\n")
    (project.root / "link.py").symlink_to(tmp_path / "secret.py")
    (project.root / "far").symlink_to(tmp_path)
    project.put("large.py", "x = 1\n" * 400_000)
    for path in ("link.py", "far/secret.py", "large.py", "app"):
        assert project.remember(f"Note on {path}: something to know.", files=[path]).anchors == ()
    assert project.remember("Note on ../secret.py: something to know.").anchors == ()


def test_secrets_in_code_are_not_stored(project: Project) -> None:
    key = "AKIA" + "Q3EGRIIJ7ABCDEFG"
    project.put("keys.py", f'def sign_request():\n    key = "{key}"\n    return key\n')
    memory = project.remember("sign_request uses a fixed key", files=["keys.py"])
    text = project.ws.container.reading.code_text(project.ws.project, memory.anchors[0].hash)
    assert text is not None
    assert key not in text


# -- what happens when the code changes ------------------------------------------------------------------------------


def test_an_edit_of_the_symbol_flags_the_memory_and_its_undoing_clears_it(project: Project) -> None:
    memory = project.remember("parse_config returns a dict", type="gotcha", files=["app/config.py"])
    project.put("app/config.py", EDITED)
    changed = project.check(memory.id)
    assert project.anchors(changed) == [("app/config.py", "parse_config", CHANGED)]
    assert changed.freshness.flagged == ("app/config.py:parse_config",)
    assert changed.freshness.unchanged == pytest.approx(2 / 3, abs=0.01)
    project.put("app/config.py", CONFIG)
    assert state(project.check(memory.id)) == FRESH
    assert project.verbs(memory.id) == ["remember", "stale", "fresh"]


def test_an_edit_elsewhere_in_the_file_and_a_new_format_change_nothing(project: Project) -> None:
    memory = project.remember("parse_config returns a dict", files=["app/config.py"])
    project.put("app/config.py", "import os\n\n\n" + CONFIG.replace("    rows = text", "    rows   =  text"))
    after = project.check(memory.id)
    assert state(after) == FRESH
    assert after.anchors[0].line == 7
    assert project.verbs(memory.id) == ["remember"]


def test_a_large_file_may_change_a_little(project: Project) -> None:
    lines = [f"line_{n} = {n}" for n in range(100)]
    project.put("app/table.py", "\n".join(lines))
    memory = project.remember("The table is sorted by number.", files=["app/table.py"])
    project.put("app/table.py", "\n".join(["line_0 = 7", *lines[1:]]))
    little = project.check(memory.id).freshness
    assert (little.state, little.unchanged, little.flagged) == (FRESH, 0.99, ())
    project.put("app/table.py", "\n".join(lines[50:]))
    much = project.check(memory.id).freshness
    assert (much.state, much.unchanged, much.flagged) == (CHANGED, 0.5, ("app/table.py",))


def test_recall_sees_a_change_before_any_index_and_ranks_it_lower(project: Project) -> None:
    stale = project.remember("parse_config returns a dict of rows", type="gotcha", files=["app/config.py"])
    fresh = project.remember("parse_rows returns a dict of rows too", type="gotcha", files=["app/main.py"])
    before = {hit.id: hit.score for hit in project.ws.recall("returns a dict of rows").hits}
    project.put("app/config.py", CONFIG.replace("rows = text.splitlines()", "rows = text.split()"))
    hits = {hit.id: hit for hit in project.ws.recall("returns a dict of rows").hits}
    assert hits[stale.id].score < 0.95 * before[stale.id]
    assert hits[fresh.id].score == before[fresh.id]
    assert state(hits[stale.id].memory) == CHANGED
    assert hits[stale.id].why.factors["freshness"] == pytest.approx(2 / 3, abs=0.01)
    project.ws.container.code_memory.write()
    assert state(project.ws.get(stale.id)) == CHANGED


def test_a_renamed_symbol_and_a_moved_one_are_followed(project: Project) -> None:
    memory = project.remember("parse_config returns a dict", files=["app/config.py"])
    project.put("app/config.py", CONFIG.replace("parse_config", "read_config"))
    renamed = project.check(memory.id)
    assert project.anchors(renamed) == [("app/config.py", "read_config", FRESH)]
    assert renamed.target_node == "app/config.py:read_config"
    body = CONFIG[CONFIG.index("def parse") : CONFIG.index("class")].replace("parse_config", "read_config")
    project.put("app/rows.py", body)
    project.put("app/config.py", "from app.rows import read_config\n")
    moved = project.check(memory.id)
    assert project.anchors(moved) == [("app/rows.py", "read_config", FRESH)]
    assert moved.files == ("app/rows.py",)
    assert project.verbs(memory.id) == ["remember", "follow", "follow"]
    assert [hit.id for hit in _memories(project.ws.recall("dict", files=["app/rows.py"]))] == [memory.id]


def test_a_symbol_renamed_and_edited_is_followed_and_flagged(project: Project) -> None:
    memory = project.remember("parse_config returns a dict", files=["app/config.py"])
    project.put("app/config.py", EDITED.replace("parse_config", "load_rows"))
    after = project.check(memory.id)
    assert project.anchors(after) == [("app/config.py", "load_rows", CHANGED)]


def test_a_renamed_file_is_followed_without_git(project: Project) -> None:
    memory = project.remember("Everything about settings is here.", files=["app/config.py"])
    (project.root / "app/config.py").rename(project.root / "app/settings.py")
    assert project.anchors(project.check(memory.id)) == [("app/settings.py", "", FRESH)]


def test_a_file_that_was_renamed_and_edited_is_followed_with_git(project: Project) -> None:
    git(project.root, "init", "-q")
    git(project.root, "add", ".")
    git(project.root, "commit", "-qm", "one")
    memory = project.remember("Everything about settings is here.", files=["app/config.py"])
    assert memory.anchors[0].commit is not None
    git(project.root, "mv", "app/config.py", "app/settings.py")
    project.put("app/settings.py", EDITED)
    git(project.root, "commit", "-qam", "two")
    after = project.check(memory.id)
    assert project.anchors(after) == [("app/settings.py", "", CHANGED)]
    assert after.files == ("app/settings.py",)


@pytest.mark.parametrize("by", ["taught", "confirmed"])
def test_memories_of_a_person_are_reviewed_when_their_code_is_deleted_until_it_is_back(
    project: Project, by: str
) -> None:
    memory = project.remember(
        "parse_config ignores comments",
        files=["app/config.py"],
        source="user_taught" if by == "taught" else "agent_explicit",
    )
    if by == "confirmed":
        memory = project.ws.confirm(memory.id)
    (project.root / "app/config.py").unlink()
    after = project.check(memory.id)
    assert (after.stale_at, after.needs_review, after.confidence) == (None, True, memory.confidence)
    assert [m.id for m in project.ws.list(needs_review=True)] == [memory.id]
    [hit] = _memories(project.ws.recall("parse_config comments"))
    assert hit.memory is not None
    assert hit.memory.id == memory.id
    project.put("app/config.py", CONFIG)
    assert not project.check(memory.id).needs_review
    assert project.verbs(memory.id)[-2:] == ["doubt", "return"]


def test_a_persons_doubt_outlives_the_return_of_the_code(project: Project) -> None:
    memory = project.remember("parse_config ignores comments", files=["app/config.py"])
    (project.root / "app/config.py").unlink()
    project.check(memory.id)
    project.ws.flag(memory.id, "is it true?")
    project.put("app/config.py", CONFIG)
    assert project.check(memory.id).needs_review


def test_confirming_a_memory_without_code_keeps_it(project: Project) -> None:
    memory = project.remember("parse_config ignores comments", files=["app/config.py"])
    (project.root / "app/config.py").unlink()
    project.check(memory.id)
    assert not project.ws.confirm(memory.id).needs_review
    assert not project.check(memory.id).needs_review


def test_deleted_code_retires_a_memory_until_it_is_back(project: Project) -> None:
    memory = project.remember(
        "parse_config ignores comments", type="gotcha", files=["app/config.py"], source="agent_explicit"
    )
    (project.root / "app/config.py").unlink()
    retired = project.check(memory.id)
    assert project.anchors(retired) == [("app/config.py", "parse_config", GONE)]
    assert retired.stale_at is not None
    assert _memories(project.ws.recall("parse_config comments")) == []
    assert project.ws.list() == ()
    assert [m.id for m in project.ws.list(include_forgotten=True)] == [memory.id]
    project.put("app/config.py", CONFIG)
    assert project.check(memory.id).stale_at is None
    assert len(_memories(project.ws.recall("parse_config comments"))) == 1
    assert project.verbs(memory.id) == ["remember", "retire", "return"]


def test_recall_retires_nothing_because_the_code_may_have_moved(project: Project) -> None:
    memory = project.remember("parse_config ignores comments", type="gotcha", files=["app/config.py"])
    (project.root / "app/config.py").rename(project.root / "app/settings.py")
    [hit] = _memories(project.ws.recall("parse_config comments"))
    assert state(hit.memory) == GONE
    project.ws.container.code_memory.write()
    assert state(project.ws.get(memory.id)) == FRESH
    assert project.anchors(project.check(memory.id)) == [("app/settings.py", "parse_config", FRESH)]


def test_decisions_and_pinned_memories_outlive_their_code(project: Project) -> None:
    decision = project.remember("parse_config has no escapes, for speed", type="decision", files=["app/config.py"])
    pinned = project.remember("parse_config must stay small", type="gotcha", files=["app/config.py"], pinned=True)
    (project.root / "app/config.py").unlink()
    for memory in (decision, pinned):
        after = project.check(memory.id)
        assert (after.stale_at, after.freshness.state) == (None, GONE)


def test_half_of_the_code_may_be_gone(project: Project) -> None:
    memory = project.remember("Both are needed at start.", type="gotcha", files=["app/config.py", "app/main.py"])
    (project.root / "app/main.py").unlink()
    after = project.check(memory.id)
    assert (after.stale_at, after.freshness.state, after.freshness.unchanged) == (None, CHANGED, 0.5)


def test_confirming_binds_to_the_code_as_it_is_now(project: Project) -> None:
    memory = project.remember("parse_config returns rows", files=["app/config.py"])
    project.put("app/config.py", EDITED)
    assert state(project.check(memory.id)) == CHANGED
    assert state(project.ws.confirm(memory.id)) == FRESH
    assert state(project.check(memory.id)) == FRESH


def test_saying_it_again_binds_to_the_code_as_it_is_now(project: Project) -> None:
    memory = project.remember("parse_config returns rows", files=["app/config.py"])
    project.put("app/config.py", EDITED)
    project.check(memory.id)
    again = project.remember("parse_config returns rows", files=["app/config.py"])
    assert (again.id, again.freshness.state) == (memory.id, FRESH)


def test_restoring_a_retired_memory_unbinds_it(project: Project) -> None:
    memory = project.remember(
        "parse_config ignores comments", type="gotcha", files=["app/config.py"], source="agent_explicit"
    )
    (project.root / "app/config.py").unlink()
    project.check(memory.id)
    restored, _ = project.ws.restore(memory.id)
    assert (restored.stale_at, restored.anchors) == (None, ())
    assert project.check(memory.id).stale_at is None


def test_a_memory_marked_stale_by_hand_stays_stale(project: Project) -> None:
    now = project.ws.container.now()
    memory = project.remember("parse_config is slow", files=["app/config.py"], stale_at=now)
    assert project.check(memory.id).stale_at == now
    assert _memories(project.ws.recall("parse_config slow")) == []


def test_the_difference_is_shown(project: Project) -> None:
    memory = project.remember("parse_config returns a dict", files=["app/config.py"])
    project.put("app/config.py", EDITED)
    [change] = project.ws.describe(memory.id, diff=True).changes
    assert change.diff is not None
    assert '-    return dict(row.split("=", 1) for row in rows)' in change.diff
    assert '+    return list(row.split("=", 1) for row in rows)' in change.diff
    (project.root / "app/config.py").unlink()
    [change] = project.ws.describe(memory.id, diff=True).changes
    assert change.diff is not None
    assert change.anchor.state == GONE
    assert "-def parse_config(text):" in change.diff


def test_the_reader_is_told_everywhere(project: Project) -> None:
    memory = project.remember("parse_config returns a dict", type="gotcha", files=["app/config.py"])
    project.put("app/config.py", EDITED)
    assert state(project.ws.describe(memory.id).memory) == CHANGED
    assert "code changed since" in project.ws.context("parse_config returns a dict").text
    project.check(memory.id)
    page = project.ws.memory_page()
    assert page.splitlines()[-1].startswith("- parse_config returns a dict *(")
    assert page.endswith("*(code changed since)*\n")
    project.ws.sync_memory()
    file = Path(project.ws.memory_file)
    assert "*(code changed since)* <!--" in file.read_text()
    file.write_text(file.read_text().replace("returns a dict", "returns a list"))
    [edit] = project.ws.sync_memory().changes
    assert (edit.what, edit.text) == ("corrected", "parse_config returns a list")
    assert "code changed since" not in project.ws.memory_page()


def test_fields_of_code_are_kept_and_follow(project: Project) -> None:
    memory = project.remember(
        "It ignores comments.",
        type="gotcha",
        target_node="app/config.py:parse_config",
        impacted_nodes=["app/main.py:main", "app/config.py:parse_config"],
        chunk={"type": "function", "start_line": 4, "end_line": 6},
    )
    assert project.anchors(memory) == [("app/config.py", "parse_config", FRESH)]
    assert memory.chunk is not None
    assert memory.chunk.end_line == 6
    (project.root / "app/config.py").rename(project.root / "app/settings.py")
    after = project.check(memory.id)
    assert after.target_node == "app/settings.py:parse_config"
    assert after.impacted_nodes == ("app/main.py:main", "app/settings.py:parse_config")
    with pytest.raises(holdfast.InvalidMemory):
        project.ws.remember("Outside of it all.", target_node="../x.py")


@pytest.mark.integration
def test_a_merged_branch_confirms_what_was_learned_on_it(project: Project) -> None:
    git(project.root, "init", "-q")
    git(project.root, "add", ".")
    git(project.root, "commit", "-qm", "one")
    on_main = project.remember("Loader.close closes nothing", source="agent_explicit", files=["app/config.py"])
    git(project.root, "checkout", "-qb", "feature")
    project.put("app/config.py", EDITED)
    learned = {"source": "agent_explicit", "confidence": 0.6, "needs_review": True, "files": ["app/config.py"]}
    memory = project.remember("parse_config returns a list", **learned)
    assert (on_main.anchors[0].branch, memory.anchors[0].branch) == (None, "feature")
    git(project.root, "commit", "-qam", "two")
    assert project.check(memory.id).confidence == 0.6
    git(project.root, "checkout", "-q", "main")
    assert state(project.check(memory.id)) == CHANGED
    git(project.root, "merge", "-q", "--squash", "feature")
    git(project.root, "commit", "-qm", "three")
    merged = project.check(memory.id)
    assert (merged.confidence, merged.needs_review, merged.anchors[0].branch) == (0.9, False, None)
    assert "merged" in project.verbs(memory.id)


def test_a_memory_about_common_code_waits_for_no_branch(project: Project) -> None:
    git(project.root, "init", "-q")
    git(project.root, "add", ".")
    git(project.root, "commit", "-qm", "one")
    git(project.root, "checkout", "-qb", "feature")
    memory = project.remember("Loader.close closes nothing", files=["app/config.py"])
    assert memory.anchors[0].branch is None


def test_a_hostile_repository_runs_no_program(project: Project, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    git(project.root, "init", "-q")
    project.put(".gitattributes", "* filter=evil diff=evil\n")
    git(project.root, "add", ".")
    git(project.root, "commit", "-qm", "one")
    for name in ("filter.evil.clean", "filter.evil.smudge", "diff.evil.command", "diff.evil.textconv"):
        git(project.root, "config", name, f"touch {ran}; cat")
    git(project.root, "config", "core.fsmonitor", f"touch {ran}")
    git(project.root, "config", "filter.evil.required", "true")
    project.ws.close()
    again = Project(project.root, tmp_path / "memory.db")
    (project.root / ".git" / "HEAD").write_text("ref: refs/heads/feature\n")
    memory = again.remember("Everything about settings is here.", files=["app/config.py"])
    (project.root / "app/config.py").unlink()
    again.check(memory.id)
    again.ws.close()
    assert not ran.exists()


@given(st.lists(st.sampled_from(["edit", "rename", "delete", "restore", "check", "recall"]), max_size=8))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_happened_the_original_code_makes_a_memory_fresh(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    """The state of a memory depends on the code alone, never on how it got there."""
    folder = tmp_path_factory.mktemp("any")
    project = Project(folder, folder.parent / f"{folder.name}.db")
    project.put("a.py", CONFIG)
    memory = project.remember("parse_config returns a dict", type="gotcha", files=["a.py"])
    for step in steps:
        for file in project.root.glob("*.py"):
            if step in ("rename", "delete", "edit", "restore"):
                file.unlink()
        if step in ("edit", "restore"):
            project.put("a.py", EDITED if step == "edit" else CONFIG)
        elif step == "rename":
            project.put("b.py", CONFIG)
        elif step == "recall":
            project.ws.recall("parse_config dict")
        else:
            project.check(memory.id)
    for file in project.root.glob("*.py"):
        file.unlink()
    project.put("a.py", CONFIG)
    after = project.check(memory.id)
    assert (after.stale_at, after.freshness.state) == (None, FRESH)
    assert project.check(memory.id) == after
    project.ws.close()


def test_the_unchanged_share() -> None:
    assert unchanged_share("a\nb\n", "b\n  a") == 1.0
    assert unchanged_share("a\nb", "a\nc") == 0.5
    assert unchanged_share("", "x") == 1.0


def _memories(answer: Recall) -> list[Hit]:
    """The hits that are memories; code of the project is found too."""
    return [hit for hit in answer.hits if hit.memory is not None]


OVERLOADED = {
    "app/call.py": """import typing as t
class Context:
    @t.overload
    def invoke(self, one: int) -> int: ...
    @t.overload
    def invoke(self, one: str) -> str: ...
    def invoke(self, one):
        return one * 2
""",
    "app/call.ts": """export class Context {
  invoke(one: number): number;
  invoke(one: string): string;
  invoke(one: any) {
    return one * 2;
  }
}
""",
    "app/plain.ts": """export function invoke(one: number): number;
export function invoke(one: string): string;
export function invoke(one: any) {
  return one * 2;
}
""",
}


@pytest.mark.parametrize("path", OVERLOADED)
def test_an_overloaded_function_is_bound_to_its_body(project: Project, path: str) -> None:
    project.put(path, OVERLOADED[path])
    memory = project.remember("`invoke` doubles what it gets.", files=[path])
    [anchor] = memory.anchors
    assert "* 2" in "".join(OVERLOADED[path].splitlines()[anchor.line : anchor.end_line])
    project.put(path, OVERLOADED[path].replace("* 2", "* 3"))
    assert state(project.check(memory.id)) == CHANGED


def test_overloads_without_a_body_are_bound_to_the_first(project: Project) -> None:
    project.put(
        "app/call.d.ts", "export function invoke(one: number): number;\nexport function invoke(a: string): string;\n"
    )
    [anchor] = project.remember("`invoke` doubles what it gets.", files=["app/call.d.ts"]).anchors
    assert (anchor.symbol, anchor.line) == ("invoke", 1)


def test_a_memory_about_a_file_that_cannot_be_read_as_code_is_bound_to_the_file(project: Project) -> None:
    project.put("app/deep.py", "x = (f" + "\n(1)" * 6_000 + ")\n")
    memory = project.remember("The table is made by hand.", files=["app/deep.py"])
    assert project.anchors(memory) == [("app/deep.py", "", FRESH)]
