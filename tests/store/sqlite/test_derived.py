"""Derived tables that were updated step by step equal those of a full rebuild."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import holdfast
from tests.store.database import rebuild
from tests.store.state import assert_sound, derived

TEXTS = (
    "Tea at four",
    "tea at four.",
    "Cake at five",
    "getUserName is slow",
    "数据库很慢",
    "Tea at four in the hall",
    "Tea. " * 40,
)
PAGES = ("# Tea\n\nAt four.\n", f"# Tea\n\nAt five.\n\n## Cake\n\n{'More of it. ' * 90}", "getUserName()")
FILES = ((), ("a.py",), ("src/b.py", "a.py"))
steps = st.one_of(
    st.tuples(
        st.just("remember"), st.sampled_from(TEXTS), st.sampled_from(FILES), st.sampled_from(((), ("x",), ("y",)))
    ),
    st.tuples(st.just("say"), st.sampled_from(TEXTS)),
    st.tuples(
        st.just("add_document"), st.sampled_from("ab"), st.sampled_from(PAGES), st.sampled_from(("text", "code"))
    ),
    st.tuples(st.just("remove_document"), st.sampled_from("ab")),
    st.tuples(st.sampled_from(("forget", "restore", "confirm", "pin", "flag")), st.integers(0, 5)),
    st.tuples(st.just("correct"), st.integers(0, 5), st.sampled_from(TEXTS)),
    st.tuples(st.just("merge"), st.integers(0, 5), st.integers(0, 5)),
    st.tuples(st.sampled_from(("embed", "repair", "recall"))),
)


def take(ws: holdfast.Workspace, verb: str, *given: object) -> None:
    known = ws.list(order="oldest", include_forgotten=True)
    if verb == "remember":
        text, files, tags = given
        ws.remember(str(text), files=files, tags=tags)  # type: ignore[arg-type] # drawn as texts above
    elif verb == "say":
        ws.session("s").say("user", str(given[0]))
    elif verb == "add_document":
        path, text, kind = map(str, given)
        ws.add_document(path, text, "markdown" if path == "a" else kind)
    elif verb == "remove_document":
        if given[0] in {document.path for document in ws.documents()}:
            ws.remove_document(str(given[0]))
    elif verb == "embed":
        ws.upkeep("embed")
    elif verb == "repair":
        ws.doctor(repair=True)
    elif verb == "recall":
        ws.recall("tea")
    elif known:
        places = [int(str(place)) % len(known) for place in given if isinstance(place, int)]
        try:
            if verb == "correct":
                ws.correct(known[places[0]].id, str(given[1]))
            elif verb == "merge":
                ws.correct(known[places[0]].id, known[places[1]].id, how="duplicate_of")
            else:
                getattr(ws, verb)(known[places[0]].id)
        except holdfast.HoldfastError:
            pass  # A memory that is no longer believed cannot be corrected; skip the step.


@given(st.lists(steps, min_size=1, max_size=15))
@settings(max_examples=25, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_incremental_equals_rebuild(taken: list[tuple[str, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "p").mkdir()
        with holdfast.open(db=f"{folder}/memory.db", project=f"{folder}/p") as ws:
            for verb, *given_ in taken:
                take(ws, verb, *given_)
            assert ws.doctor().sound
            incremental = derived(ws.db)
            rebuild(ws.container.store)
            assert derived(ws.db) == incremental
        assert_sound(f"{folder}/memory.db")
