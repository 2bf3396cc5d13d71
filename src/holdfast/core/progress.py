"""The progress function of background jobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

# Receives the progress of a job so far and returns whether the job may continue.
Progress = Callable[[Mapping[str, Any]], bool]
