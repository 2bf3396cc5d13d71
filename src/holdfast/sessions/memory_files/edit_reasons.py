"""Codes for edits of MEMORY.md that wait. `interfaces/messages/conversation_messages.py` has the sentences."""

from __future__ import annotations

from holdfast.core.reason import Code


class EditCode(Code):
    """Why an edit of MEMORY.md was not taken over."""

    CHANGED_SINCE = "conversation.changed_since"
    ALSO_CHANGED = "conversation.also_changed"
    WAS_FORGOTTEN = "conversation.was_forgotten"
    MANY_DELETED = "conversation.many_deleted"
    FILE_TRUNCATED = "conversation.file_truncated"
    FILE_TRACKED = "conversation.file_tracked"
    FILE_FROM_ELSEWHERE = "conversation.file_from_elsewhere"
