"""Codes of the reasons this package reports. `interfaces/messages/conversation_messages.py` has their sentences."""

from __future__ import annotations

from holdfast.core.errors import CeilingReached, ModelError
from holdfast.core.reason import Code, Reason


class LearnCode(Code):
    """Why there is no reflection, and what was done without the language model or without files."""

    MODEL_CEILING = "conversation.model_ceiling"
    MODEL_FAILED = "conversation.model_failed"
    FILES_NOT_WRITTEN = "conversation.files_not_written"
    NO_WEEK_YET = "conversation.no_week_yet"
    TOO_FEW_FACTS = "conversation.too_few_facts"
    REFLECTED_RECENTLY = "conversation.reflected_recently"
    NOTHING_NOTABLE = "conversation.nothing_notable"


def model_failure(error: ModelError) -> Reason:
    """The reason why the language model was not used."""
    if isinstance(error, CeilingReached):
        return Reason.of(LearnCode.MODEL_CEILING)
    return Reason.of(LearnCode.MODEL_FAILED, error=f"{error.what}: {error.detail}")
