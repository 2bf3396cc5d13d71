"""The codes of the reasons that background work reports."""

from __future__ import annotations

from holdfast.core.reason import Code


class UpkeepCode(Code):
    """Why background work was skipped or stopped early, and what `doctor` found about model, code index and hooks."""

    ALREADY_RUNNING = "upkeep.already_running"
    LEASE_LOST = "upkeep.lease_lost"
    NO_EMBEDDER = "upkeep.no_embedder"
    ORPHANED_PASSAGES = "upkeep.orphaned_passages"

    KEYWORDS_ONLY = "upkeep.keywords_only"
    SET_EMBEDDER = "upkeep.set_embedder"
    MODEL_FAILED = "upkeep.model_failed"
    MODEL_HINT = "upkeep.model_hint"
    EMBEDDINGS_PENDING = "upkeep.embeddings_pending"
    EMBEDDINGS_IMPROVABLE = "upkeep.embeddings_improvable"
    RUN_EMBED = "upkeep.run_embed"
    EMBEDDINGS_COMPLETE = "upkeep.embeddings_complete"
    LLM_ANSWERS = "upkeep.llm_answers"
    LLM_FAILED = "upkeep.llm_failed"
    CODE_CURRENT = "upkeep.code_current"
    CODE_STALE = "upkeep.code_stale"
    CODE_LARGE = "upkeep.code_large"
    INDEX_LESS = "upkeep.index_less"
    RUN_INDEX = "upkeep.run_index"

    HOOKS_WORK = "upkeep.hooks_work"
    HOOKS_FAILED = "upkeep.hooks_failed"
    HOOKS_HINT = "upkeep.hooks_hint"
    FILES_READABLE = "upkeep.files_readable"
    HIDE_FILES = "upkeep.hide_files"
