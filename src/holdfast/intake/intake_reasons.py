"""The codes of intake's answers: why a text was stored, merged, held for review or refused."""

from __future__ import annotations

from holdfast.core.reason import Code


class IntakeCode(Code):
    """Why intake did what it did. `holdfast.interfaces.messages.intake_messages` has the sentences."""

    NEW = "intake.new"
    MESSAGE = "intake.message"
    SAME_TEXT = "intake.same_text"
    SAME_MEANING = "intake.same_meaning"
    UNCHANGED = "intake.unchanged"
    REPLACES = "intake.replaces"
    MERGED = "intake.merged"
    PROPOSED = "intake.proposed"
    PROTECTED = "intake.protected"
    UNTRUSTED = "intake.untrusted"
    CONTRADICTS = "intake.contradicts"
    QUOTE_NOT_SAID = "intake.quote_not_said"
    FORGOTTEN = "intake.forgotten"
    EMPTY = "intake.empty"
    NO_WORDS = "intake.no_words"
    TOO_LONG = "intake.too_long"
    MESSAGE_TOO_LONG = "intake.message_too_long"
    PLACEHOLDER = "intake.placeholder"
    REPETITION = "intake.repetition"
    LOG_LINES = "intake.log_lines"
    COURTESY = "intake.courtesy"
    ANNOUNCEMENT = "intake.announcement"
    ONLY_SECRETS = "intake.only_secrets"
    NUL_BYTES = "intake.nul_bytes"
    LONE_SURROGATES = "intake.lone_surrogates"
    CONTROL_CHARACTERS = "intake.control_characters"
    REPLACEMENT_CHARACTERS = "intake.replacement_characters"
