"""The operations that learn from what agents do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.core.filters import check_limit
from holdfast.workspace.operation_verbs import Operations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.core.admission import Admission
    from holdfast.observer.file_prediction import PredictedFile
    from holdfast.observer.observe import ObserverReport
    from holdfast.observer.qa import QaFailure


class ObserverOperations(Operations):
    """Observes agents' sessions, and predicts what the next one needs."""

    def observe(
        self, path: str | None = None, dry_run: bool = False, everywhere: bool = False, kind: str = "build"
    ) -> tuple[ObserverReport, ...]:
        """Observes the sessions of a transcript file or of a folder of them, oldest first, and promotes what they show.

        Without a path, observes the journals of this project that hooks wrote. With `dry_run` nothing is stored: the
        reports say what would be kept, each session together with those before it. From a folder, only sessions of this
        project, unless `everywhere`. Observing a session again replaces what was observed before. `kind` is that of
        sessions that do not say theirs: `build`, `insights`, `roadmap`, `terminal`, `changelog`, `spec`, `pr_review`.
        """
        from holdfast.agents.transcripts.agent_events import all_sessions
        from holdfast.observer.session_kinds import check_kind

        check_kind(kind)
        with self.container.store.memories.together("observe"):
            if path is None:
                return self._then_wake(self.container.journals.observe_all(dry_run, kind))
            ours = None if everywhere else self.container.owns_folder
            recorded = ((one.id, one.events) for one in all_sessions(os.path.expanduser(path), ours))
            observer = self.container.observer if dry_run else self.container.observer.follow_renames()
            return self._then_wake(observer.observe_all(recorded, dry_run, kind))

    def taint_stored(self, session: str) -> None:
        """Taints what an agent stored in a session that goes on after it had read what strangers can write.

        Hooks call it when the agent has stored something; observing the session does the same.
        """
        self.container.journals.taint_stored(session)

    def observe_commits(self, dry_run: bool = False) -> ObserverReport:
        """Learns from the project's latest commits, until enough sessions of agents were observed."""
        with self.container.store.memories.together("observe"):
            return self._then_wake(self.container.observer.start_from_commits(dry_run))

    def report_failures(self, session: str, failures: Iterable[QaFailure]) -> tuple[Admission, ...]:
        """Keeps failures that quality assurance found in a session's change: critical and high ones, at once."""
        with self.container.store.memories.together("observe"):
            return self._then_wake(self.container.observer.report_failures(session, failures))

    def predict_files(self, prompt: str, branch: str = "", limit: int = 12) -> tuple[PredictedFile, ...]:
        """The files that a session with this prompt will probably need first, by the sessions observed so far."""
        return self.container.observer.predict(prompt, branch, check_limit(limit))
