"""The measures of a candidate's relevance, each defined once; `data/weights.json` holds their weights."""

from __future__ import annotations

from math import isnan

from holdfast.core.frozen import frozen


@frozen
class Measure:
    """One measure. `label` is its English column heading.

    `full` is the value that counts as 1. It is the same for every query, so that scores are comparable between queries,
    types and stores: scaled to the best candidate, a single common word would count as a full match in a small store.
    """

    name: str
    label: str
    full: float = 1.0

    def scaled(self, value: float) -> float:
        """Returns the value as a number from 0 to 1; NaN stays NaN."""
        return min(1.0, max(0.0, value / self.full)) if not isnan(value) else value


# The highest BM25 score, if a passage contains all terms of the query often.
BM25 = Measure("bm25", "BM25", full=2.2)
SHARE = Measure("share", "share")
SESSION = Measure("session", "session")
# In standard deviations above unrelated texts. Few right answers reach 8.
MEANING = Measure("meaning", "meaning", full=8.0)
CONTEXT = Measure("context", "context")
SPEAKER = Measure("speaker", "speaker")
REPLY = Measure("reply", "reply")
TIME = Measure("time", "time")
PREFERRED = Measure("preferred", "preferred")

# In display order.
MEASURES = (BM25, SHARE, SESSION, MEANING, CONTEXT, SPEAKER, REPLY, TIME, PREFERRED)
BY_NAME = {measure.name: measure for measure in MEASURES}
