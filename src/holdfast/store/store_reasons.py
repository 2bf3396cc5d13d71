"""The codes of the findings, hints and repairs of a store's health check."""

from __future__ import annotations

from holdfast.core.reason import Code


class StoreCode(Code):
    """What the health check of a store found, what to do about it, and what a repair did."""

    INTACT = "store.intact"
    DAMAGED = "store.damaged"
    REFERENCES_VALID = "store.references_valid"
    REFERENCES_BROKEN = "store.references_broken"
    INDEX_COMPLETE = "store.index_complete"
    INDEX_OUTDATED = "store.index_outdated"
    INDEX_NOT_CHECKED = "store.index_not_checked"
    SEARCHABLE = "store.searchable"
    NOT_SEARCHABLE = "store.not_searchable"
    NO_ORPHANS = "store.no_orphans"
    ORPHANS = "store.orphans"
    VECTORS_COMPLETE = "store.vectors_complete"
    VECTORS_MISSING = "store.vectors_missing"
    DISK_SPACE = "store.disk_space"
    PRIVATE = "store.private"
    NOT_WRITABLE = "store.not_writable"
    READABLE_BY_OTHERS = "store.readable_by_others"
    LOG_SIZE = "store.log_size"
    VECTOR_FILE_SOUND = "store.vector_file_sound"
    VECTOR_FILE_DAMAGED = "store.vector_file_damaged"

    RUN_REPAIR = "store.run_repair"
    FREE_SPACE = "store.free_space"
    CHECK_OWNER = "store.check_owner"
    CHANGE_MODE = "store.change_mode"
    CLOSE_READER = "store.close_reader"

    ORPHANS_REMOVED = "store.orphans_removed"
    STRAYS_REMOVED = "store.strays_removed"
    MEMORIES_INDEXED = "store.memories_indexed"
    CHUNKS_INDEXED = "store.chunks_indexed"
    WORDS_COUNTED = "store.words_counted"
    EMBEDDINGS_QUEUED = "store.embeddings_queued"
    VECTOR_CODES_REMOVED = "store.vector_codes_removed"
    MEMORIES_SALVAGED = "store.memories_salvaged"
    TEXTS_CHANGED = "store.texts_changed"
    ROWS_SALVAGED = "store.rows_salvaged"
    ROWS_LOST = "store.rows_lost"
    BACKUP_RESTORED = "store.backup_restored"
    OLD_FILE_KEPT = "store.old_file_kept"
    INDEX_REBUILT = "store.index_rebuilt"
