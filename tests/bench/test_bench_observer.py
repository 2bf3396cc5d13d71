"""The measures of `holdfast bench observer`."""

from __future__ import annotations

from bench.observer.command import _causal, dependencies
from bench.observer.histories import stretch
from bench.observer.pairs import borne_out
from bench.observer.streams import RecordedSession, Stream
from tests.observer.sessions import Talk

from holdfast.observer.over_sessions import LAPSES
from holdfast.workspace import Workspace


def _session(id: str, *edited: str) -> RecordedSession:
    return RecordedSession(id, (), "", "", frozenset(), frozenset(), frozenset(edited))


def test_a_pair_is_judged_if_either_file_changes() -> None:
    later = [frozenset("ab"), frozenset("c")]
    assert borne_out([("a", "b"), ("c", "d"), ("x", "y")], later) == 0.5


def test_the_dependencies_that_are_valid_count_tainted_ones_too(ws: Workspace) -> None:
    talks = [Talk().edit("cart.py", "price.py"), Talk().edit("user.py").fetch("https://x.example").edit("mail.py")] * 3
    for number, talk in enumerate(talks):
        ws.container.observer.observe(f"s{number}", talk.events)
    assert sorted(dependencies(ws)) == [("cart.py", "price.py"), ("mail.py", "user.py")]
    for number in range(LAPSES):
        ws.container.observer.observe(f"other{number}", Talk().edit(f"{number}.py").events)
    assert not dependencies(ws)


def test_dependencies_are_borne_out_by_the_scored_sessions() -> None:
    found = Stream("go-cli", (_session("s0", "a.py", "b.py"), _session("s1", "a.py", "b.py")), 1)
    valid, held = _causal(found, [("a.py", "b.py")], newer=False)[:2]
    assert (valid.p50, held.p50) == (1.0, 1.0)


def test_thirty_pairs_are_asked_of_the_whole_older_part_of_go_cli() -> None:
    found = Stream("go-cli", (_session("s0", "a.py", "b.py"), _session("s1", "a.py", "b.py")), 1)
    assert _causal(found, [("a.py", "b.py")], newer=True)[0].holds is False
    assert _causal(found, [("a.py", "b.py")], newer=False)[0].holds is None


def test_a_stretch_of_commits_is_learned_from_and_judged() -> None:
    learned = [frozenset(("src/a.py", "src/b.py")), *[frozenset((f"src/{number}.py",)) for number in range(105)]]
    commits = [*learned[1:], *learned[:1] * 2, *[frozenset(("src/a.py", "src/b.py"))] * 50]
    assert stretch(commits)[:3] == (0, 0, 0)
    pairs, judged, kept, _, _ = stretch([*learned[4:], *learned[:1] * 5, *commits[-50:]])
    assert (pairs, judged, kept) == (1, 1, 1)


def test_pairs_that_lapsed_at_the_end_of_a_stretch_are_not_judged() -> None:
    together = [frozenset(("src/a.py", "src/b.py"))]
    others = [frozenset((f"src/{number}.py",)) for number in range(103)]
    assert stretch([*together * 4, *others, *together * 50])[:3] == (0, 0, 0)
