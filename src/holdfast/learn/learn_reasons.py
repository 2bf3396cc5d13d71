"""Codes of the reasons this package reports. `interfaces/messages/conversation_messages.py` has their sentences."""

from __future__ import annotations

from holdfast.core.errors import CeilingReached, ModelError
from holdfast.core.reason import Code, Reason


class ConversationCode(Code):
    """Reasons of imports, consolidation, reflection and edits of MEMORY.md."""

    # Skipped by an import.
    NOT_JSON = "conversation.not_json"
    LINE_TOO_LONG = "conversation.line_too_long"
    UNKNOWN_RECORD = "conversation.unknown_record"
    SUB_AGENT = "conversation.sub_agent"
    INJECTED = "conversation.injected"
    REPEATED = "conversation.repeated"
    NOT_A_TRANSCRIPT = "conversation.not_a_transcript"
    OTHER_PROJECT = "conversation.other_project"
    MESSAGE_TOO_LONG = "conversation.message_too_long"

    # Consolidation and reflection without the language model, and without files.
    MODEL_CEILING = "conversation.model_ceiling"
    MODEL_FAILED = "conversation.model_failed"
    FILES_NOT_WRITTEN = "conversation.files_not_written"

    # No reflection.
    NO_WEEK_YET = "conversation.no_week_yet"
    TOO_FEW_FACTS = "conversation.too_few_facts"
    REFLECTED_RECENTLY = "conversation.reflected_recently"
    NOTHING_NOTABLE = "conversation.nothing_notable"

    # Edits of MEMORY.md.
    CHANGED_SINCE = "conversation.changed_since"
    ALSO_CHANGED = "conversation.also_changed"
    WAS_FORGOTTEN = "conversation.was_forgotten"
    MANY_DELETED = "conversation.many_deleted"
    FILE_TRUNCATED = "conversation.file_truncated"
    FILE_TRACKED = "conversation.file_tracked"
    FILE_FROM_ELSEWHERE = "conversation.file_from_elsewhere"


def model_failure(error: ModelError) -> Reason:
    """The reason why the language model was not used."""
    if isinstance(error, CeilingReached):
        return Reason.of(ConversationCode.MODEL_CEILING)
    return Reason.of(ConversationCode.MODEL_FAILED, error=f"{error.what}: {error.detail}")
