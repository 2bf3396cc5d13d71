"""The trust in a memory by its source: a person's teaching counts most, an inference least."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES, EPISODE

if TYPE_CHECKING:
    from holdfast.store.reading import Factors

SOURCE_TRUST: Mapping[str, float] = {
    "user_taught": 1.4,
    "agent_explicit": 1.2,
    "qa_auto": 1.1,
    "mcp_auto": 1.0,
    "commit_auto": 1.0,
    "observer_inferred": 0.85,
}
# The sources of what a person or an agent stored on purpose.
TAUGHT = ("user_taught", "agent_explicit")
# Trust is divided by this, so that scores stay between 0 and 1.
HIGHEST_TRUST = max(SOURCE_TRUST.values())


def abstain_factor(row: Factors | None) -> float:
    """Returns the factor of the abstention threshold: 1 for messages, files and taught memories, else up to 1.4."""
    if row is None or row.type == EPISODE or row.type in DOCUMENT_PASSAGE_TYPES:
        return 1.0
    return 2.0 - SOURCE_TRUST[row.source] / HIGHEST_TRUST
