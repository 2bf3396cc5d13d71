"""Codes for what an import of transcripts skipped. `interfaces/messages/conversation_messages.py` has the sentences."""

from __future__ import annotations

from holdfast.core.reason import Code


class TranscriptCode(Code):
    """Why an import skipped a record or a file."""

    NOT_JSON = "conversation.not_json"
    LINE_TOO_LONG = "conversation.line_too_long"
    UNKNOWN_RECORD = "conversation.unknown_record"
    SUB_AGENT = "conversation.sub_agent"
    INJECTED = "conversation.injected"
    REPEATED = "conversation.repeated"
    NOT_A_TRANSCRIPT = "conversation.not_a_transcript"
    OTHER_PROJECT = "conversation.other_project"
    MESSAGE_TOO_LONG = "conversation.message_too_long"
