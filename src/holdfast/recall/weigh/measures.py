"""The measures of a candidate's relevance, each defined once; `data/weights.json` holds their weights."""

from __future__ import annotations

from collections.abc import Sequence
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

    def scaled(self, values: Sequence[float]) -> list[float]:
        """Returns the values as numbers from 0 to 1; NaN stays NaN."""
        full = self.full
        return [v / full if 0 < v < full else 1.0 if v >= full else v if isnan(v) else 0.0 for v in values]


# The highest BM25 score, if a passage contains all terms of the query often.
BM25 = Measure("bm25", "BM25", full=2.2)
SHARE = Measure("share", "share")
# In standard deviations above unrelated texts. Few right answers reach 8.
MEANING = Measure("meaning", "meaning", full=8.0)
CONTEXT = Measure("context", "context")
# The best score of a candidate of the same session, by the other measures.
SESSION = Measure("session", "session")
SPEAKER = Measure("speaker", "speaker")
REPLY = Measure("reply", "reply")
TIME = Measure("time", "time")
PREFERRED = Measure("preferred", "preferred")

# In display order.
MEASURES = (BM25, SHARE, MEANING, CONTEXT, SESSION, SPEAKER, REPLY, TIME, PREFERRED)
BY_NAME = {measure.name: measure for measure in MEASURES}
