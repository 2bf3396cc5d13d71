"""Generates arbitrary memories for property tests."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime

from hypothesis import strategies as st

from holdfast.core import memory as m
from holdfast.core.anchor import ANCHOR_STATES, CodeAnchor
from holdfast.core.citation import CITATION_LENGTH
from holdfast.core.memory import ChunkLocation, Memory, Relation, Taint, WorkUnit

_numbers = itertools.count()
# No surrogates and no NUL: intake refuses them, because they are not text.
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
filled = texts.filter(str.strip)
moments = st.datetimes(datetime(1970, 1, 2), datetime(2100, 1, 1)).map(
    lambda at: at.replace(microsecond=at.microsecond // 1000 * 1000, tzinfo=UTC)
)
# Names are one line: intake refuses others.
lines = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=30)
names = st.tuples(lines, lines) | st.tuples(lines) | st.just(())
ids = st.from_regex(r"[a-z]{2,4}_[0-9a-z]{10}", fullmatch=True)
paths = st.lists(st.from_regex(r"[a-z]{1,6}(/[a-z]{1,6}){0,3}\.[a-z]{1,3}", fullmatch=True), max_size=3, unique=True)
shares = st.floats(0, 1)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
relations = st.builds(
    lambda kind, target, confidence, auto: Relation(kind, **target, confidence=confidence, auto=auto),
    st.sampled_from(m.RELATIONS),
    st.fixed_dictionaries({"file": st.just("a/b.c")}) | st.fixed_dictionaries({"memory": ids}),
    shares,
    st.booleans(),
)
_numbers_or_none = st.none() | st.integers(0, 2**40)
anchors = st.builds(
    CodeAnchor,
    path=st.from_regex(r"[a-z]{1,6}(/[a-z]{1,6}){0,3}\.[a-z]{1,3}", fullmatch=True),
    symbol=lines,
    hash=lines,
    commit=st.none() | lines,
    branch=st.none() | lines,
    line=_numbers_or_none,
    end_line=_numbers_or_none,
    state=st.sampled_from(ANCHOR_STATES),
    unchanged=shares,
    size=_numbers_or_none,
    mtime_ns=st.none() | st.integers(0, 2**62),
)


def memories(project: str, contents: st.SearchStrategy[str] = filled) -> st.SearchStrategy[Memory]:
    """Any memory of a project; ids are unique within a run."""
    return st.builds(
        Memory,
        id=st.builds(lambda: f"mem_{next(_numbers):026d}"),
        type=st.sampled_from(("fact", "decision", "gotcha", "episode", "preference")),
        content=contents,
        project=st.just(project),
        created_at=moments,
        confidence=shares,
        tags=names,
        files=paths.map(tuple),
        modules=names,
        event_time=st.none() | moments,
        last_accessed_at=st.none() | moments,
        access_count=st.integers(0, 2**31),
        session=st.none() | lines,
        phase=st.none() | st.sampled_from(m.PHASES),
        commit=st.none() | lines,
        scope=st.sampled_from(m.SCOPES),
        work_unit=st.none() | st.builds(WorkUnit, lines, names, lines),
        methodology=st.none() | lines,
        source=st.sampled_from(m.SOURCES),
        source_role=st.none() | lines,
        target_node=st.none() | lines,
        impacted_nodes=names,
        relations=st.lists(relations, max_size=2).map(tuple),
        half_life_days=st.none() | st.floats(0.1, 1000),
        provenance_sessions=names,
        source_ids=names,
        needs_review=st.booleans(),
        verified=st.booleans(),
        taint=st.none() | st.builds(Taint, lines, st.none() | st.integers(0, 99)),
        citation=st.none() | st.text("abc def", min_size=1, max_size=CITATION_LENGTH),
        pinned=st.booleans(),
        forgotten_at=st.none() | moments,
        stale_at=st.none() | moments,
        valid_until=st.none() | moments,
        visibility=st.sampled_from(m.VISIBILITIES),
        chunk=st.none() | st.builds(ChunkLocation, st.sampled_from(m.CHUNK_TYPES), st.none() | st.integers(1, 9999)),
        redacted=st.booleans(),
        attributes=st.dictionaries(filled, plain, max_size=2),
        anchors=st.lists(anchors, max_size=2).map(tuple),
    )
