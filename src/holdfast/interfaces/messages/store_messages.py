"""The English messages of the package store: the health check."""

from __future__ import annotations

from holdfast.interfaces.language import translatable
from holdfast.store.store_reasons import StoreCode

MESSAGES = {
    StoreCode.INTACT: translatable("all pages of the database are intact"),
    StoreCode.DAMAGED: translatable("the database is damaged: {problem}"),
    StoreCode.REFERENCES_VALID: translatable("no row refers to a missing row"),
    StoreCode.REFERENCES_BROKEN: translatable("rows that refer to missing rows: {count}"),
    StoreCode.INDEX_COMPLETE: translatable("the full-text index matches the passages"),
    StoreCode.INDEX_NOT_CHECKED: translatable("it cannot be checked now ({error})"),
    StoreCode.INDEX_OUTDATED: translatable("the full-text index does not match the passages ({error})"),
    StoreCode.SEARCHABLE: translatable("every memory and every document can be found"),
    StoreCode.NOT_SEARCHABLE: translatable("search cannot find {memories} memories and {chunks} document chunks"),
    StoreCode.NO_ORPHANS: translatable("every passage belongs to a memory or a document"),
    StoreCode.ORPHANS: translatable("passages without a memory or document: {count}"),
    StoreCode.VECTORS_COMPLETE: translatable("every embedded passage has its vector"),
    StoreCode.VECTORS_MISSING: translatable("embedded passages without a vector: {count}"),
    StoreCode.DISK_SPACE: translatable("{gigabytes} GB free"),
    StoreCode.PRIVATE: translatable("only you can read the database"),
    StoreCode.NOT_WRITABLE: translatable("{path} cannot be written"),
    StoreCode.READABLE_BY_OTHERS: translatable("other users may read {path} (mode {mode})"),
    StoreCode.LOG_SIZE: translatable("{megabytes} MB"),
    StoreCode.VECTOR_FILE_SOUND: translatable("the checksums of the vector file are right"),
    StoreCode.VECTOR_FILE_DAMAGED: translatable("the vector file is damaged; it is not used and is built again"),
    StoreCode.RUN_REPAIR: translatable("Run `holdfast doctor --repair`."),
    StoreCode.FREE_SPACE: translatable("Free some disk space: writes fail when the disk is full."),
    StoreCode.CHECK_OWNER: translatable("Check who owns the file."),
    StoreCode.CHANGE_MODE: translatable("Run: chmod 600 {path}"),
    StoreCode.CLOSE_READER: translatable("A program keeps an old read open; close that program."),
    StoreCode.ORPHANS_REMOVED: translatable("removed passages without a memory or document: {count}"),
    StoreCode.STRAYS_REMOVED: translatable("removed vectors and paths without a passage: {count}"),
    StoreCode.MEMORIES_INDEXED: translatable("indexed memories that search could not find: {count}"),
    StoreCode.CHUNKS_INDEXED: translatable("indexed document chunks that search could not find: {count}"),
    StoreCode.WORDS_COUNTED: translatable("added missing word counts of passages: {count}"),
    StoreCode.EMBEDDINGS_QUEUED: translatable("queued passages for embedding: {count}"),
    StoreCode.VECTOR_CODES_REMOVED: translatable("removed the vector codes; the next search creates them again"),
    StoreCode.MEMORIES_SALVAGED: translatable(
        "read {count} memories and messages of the old database into a new one; {lost} cannot be read"
    ),
    StoreCode.TEXTS_CHANGED: translatable("texts that the damage may have changed wait for your review: {count}"),
    StoreCode.ROWS_SALVAGED: translatable("read {count} other rows, such as sessions, history and documents"),
    StoreCode.ROWS_LOST: translatable("other rows that cannot be read: {tables}"),
    StoreCode.BACKUP_RESTORED: translatable("nothing can be read of the database; restored the backup {path}"),
    StoreCode.OLD_FILE_KEPT: translatable("kept the old database as {path}"),
    StoreCode.INDEX_REBUILT: translatable("rebuilt the full-text index"),
}
