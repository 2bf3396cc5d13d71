"""A background job: a row that a package declares beside the code that does the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Generic, TypeVar

from holdfast.core.frozen import frozen
from holdfast.core.progress import Progress

# What a job needs of the container: a Protocol beside the row.
Parts_contra = TypeVar("Parts_contra", contravariant=True)
DAILY, WEEKLY = timedelta(days=1), timedelta(days=7)
# Changes after which a job may have work.
SESSIONS, NAMES, CODE = "sessions", "names", "code"


@frozen
class Job(Generic[Parts_contra]):
    """A background job: resumable and idempotent. Without a `period` it runs whenever there is work.

    `run` returns counts by name; `skipped`, `stopped` or `failed` holds the reason if the job did not finish.
    `is_due` says fast whether there is work; with `after`, it is asked only after such a change. A job `of_project`
    works on one project, any other on the whole store. A job that `gives_way` may take long and is never urgent: it
    stops when another process waits, which has another session to learn from, and which continues it later.
    """

    name: str
    run: Callable[[Parts_contra, Progress], Mapping[str, Any]]
    period: timedelta | None = None
    is_due: Callable[[Parts_contra], bool] = lambda parts: False
    after: str = ""
    of_project: bool = False
    gives_way: bool = False
