"""The measures of `holdfast bench observer`."""

from __future__ import annotations

from bench.observer.command import _causal
from bench.observer.histories import stretch
from bench.observer.pairs import borne_out
from bench.observer.streams import RecordedSession, Stream

from holdfast.core.admission import Candidate
from holdfast.observer.observer import ObserverReport
from holdfast.observer.promote import Promoted


def _session(id: str, *edited: str) -> RecordedSession:
    return RecordedSession(id, (), "", "", frozenset(), frozenset(), frozenset(edited))


def test_a_pair_is_judged_if_either_file_changes() -> None:
    later = [frozenset("ab"), frozenset("c")]
    assert borne_out([("a", "b"), ("c", "d"), ("x", "y")], later) == 0.5


def test_a_tainted_pair_is_a_pair() -> None:
    promoted = Promoted("co_access", ("a.py\nb.py\n(tainted)",), 3, 1.0, Candidate("When a changes", "fact"), ())
    found = Stream("go-cli", (_session("s0", "a.py", "b.py"), _session("s1", "a.py", "b.py")), 1)
    reports = [ObserverReport("s0", 1, 2, (), (promoted,)), ObserverReport("s1", 1, 2, (), ())]
    assert _causal(found, reports)[0].p50 == 1.0


def test_a_stretch_of_commits_is_learned_from_and_judged() -> None:
    learned = [frozenset(("src/a.py", "src/b.py")), *[frozenset((f"src/{number}.py",)) for number in range(105)]]
    commits = [*learned[1:], *learned[:1] * 2, *[frozenset(("src/a.py", "src/b.py"))] * 50]
    assert stretch(commits)[:3] == (0, 0, 0)
    pairs, judged, kept, _, _ = stretch([*learned[:1] * 3, *learned[4:], *commits[-51:]])
    assert (pairs, judged, kept) == (1, 1, 1)
