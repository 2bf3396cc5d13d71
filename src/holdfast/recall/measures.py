"""The measures of a candidate's relevance, each defined once; `data/weights.json` holds their weights."""

from __future__ import annotations

from holdfast.core.frozen import frozen


@frozen
class Measure:
    """One measure. `label` is its English column heading.

    The values of an `absolute` measure are comparable between queries. All others are scaled to 0…1 over the
    candidates of a query.
    """

    name: str
    label: str
    absolute: bool = False


BM25 = Measure("bm25", "BM25")
SHARE = Measure("share", "share")
SESSION = Measure("session", "session")
MEANING = Measure("meaning", "meaning")
SPEAKER = Measure("speaker", "speaker", absolute=True)
REPLY = Measure("reply", "reply", absolute=True)
TIME = Measure("time", "time", absolute=True)

# In display order.
MEASURES = (BM25, SHARE, SESSION, MEANING, SPEAKER, REPLY, TIME)
ABSOLUTE = frozenset(measure.name for measure in MEASURES if measure.absolute)
