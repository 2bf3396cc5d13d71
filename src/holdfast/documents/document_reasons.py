"""The codes of the problems and contradictions that documents report."""

from __future__ import annotations

from holdfast.core.reason import Code


class DocumentCode(Code):
    """Why a file was not indexed completely, or why two statements contradict each other."""

    BAD_NAME = "documents.bad_name"
    CONFIDENTIAL_NAME = "documents.confidential_name"
    DIFFERENCE = "documents.difference"
    ENERGY = "documents.energy"
    FIELD = "documents.field"
    FOLDER_UNREADABLE = "documents.folder_unreadable"
    GREW = "documents.grew"
    LINE = "documents.line"
    LINK_OUTSIDE = "documents.link_outside"
    MISSING = "documents.missing"
    MISSING_BRACKET = "documents.missing_bracket"
    NOT_A_FILE = "documents.not_a_file"
    NOT_TOML = "documents.not_toml"
    NOT_UTF8 = "documents.not_utf8"
    STAT_FAILED = "documents.stat_failed"
    TOO_LARGE = "documents.too_large"
    UNCLOSED_FRONT_MATTER = "documents.unclosed_front_matter"
    UNCLOSED_QUOTE = "documents.unclosed_quote"
    UNREADABLE = "documents.unreadable"
    VANISHED = "documents.vanished"
