"""The periods of background jobs."""

from __future__ import annotations

from datetime import timedelta

# How often each job runs that is not started by work. A schedule may name a time for it.
PERIODS = {
    "backup": timedelta(days=1),
    "evict": timedelta(days=1),
    "tidy": timedelta(days=1),
    "enrich": timedelta(days=1),
    "anchors": timedelta(days=1),
    "relate": timedelta(days=7),
    "reflect": timedelta(days=7),
}
