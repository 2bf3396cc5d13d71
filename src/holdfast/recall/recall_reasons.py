"""Codes for what a recall step did not do and why; `interfaces/messages/recall_messages.py` has the sentences."""

from __future__ import annotations

from holdfast.core.reason import Code


class RecallCode(Code):
    """The values of the notes `skipped` and `failed` in a step's trace, and the warnings of an answer."""

    NO_EMBEDDER = "recall.no_embedder"
    NO_TIME_NAMED = "recall.no_time_named"
    NOT_NEEDED = "recall.not_needed"
    NO_CAP = "recall.no_cap"
    NO_DOCUMENTS = "recall.no_documents"
    NO_CODE_GRAPH = "recall.no_code_graph"
    NO_FILE_NAMED = "recall.no_file_named"
    NOTHING_FOUND = "recall.nothing_found"
    TOO_FEW = "recall.too_few"
    NO_RELATED_FILE = "recall.no_related_file"
    NO_RERANKER = "recall.no_reranker"
    NOTHING_TO_RANK = "recall.nothing_to_rank"
    NO_READER = "recall.no_reader"
    RERANKED = "recall.reranked"
    TOO_FEW_WORDS = "recall.too_few_words"
    NAMES_A_TIME = "recall.names_a_time"
    ASKS_PAST = "recall.asks_past"
    NO_DECAY_SCALES = "recall.no_decay_scales"
    NO_CHAT_MODEL = "recall.no_chat_model"
    ENOUGH_FOUND = "recall.enough_found"
    NO_EXACT_NAME = "recall.no_exact_name"
    NO_ENTITIES = "recall.no_entities"
    NO_ENTITY_NAMED = "recall.no_entity_named"

    MODEL_FAILED = "recall.model_failed"
    NOTHING_EMBEDDED = "recall.nothing_embedded"
    NOTHING_EMBEDDED_YET = "recall.nothing_embedded_yet"
    RERANKER_FAILED = "recall.reranker_failed"
    READER_FAILED = "recall.reader_failed"
    CHAT_FAILED = "recall.chat_failed"
