"""The English messages of the package recall: why a step did nothing, what an answer lacks, how certain a hit is."""

from __future__ import annotations

from holdfast.core.certainty import Certainty
from holdfast.interfaces.language import translatable
from holdfast.recall.recall_reasons import RecallCode

CERTAINTIES = {
    Certainty.SURE: translatable("sure"),
    Certainty.LIKELY: translatable("likely"),
    Certainty.MAYBE: translatable("maybe"),
}

MESSAGES = {
    RecallCode.NO_EMBEDDER: translatable("no embeddings"),
    RecallCode.NO_TIME_NAMED: translatable("no time in the query"),
    RecallCode.NOT_NEEDED: translatable("not needed"),
    RecallCode.NO_CAP: translatable("no limit"),
    RecallCode.NO_DOCUMENTS: translatable("no documents"),
    RecallCode.NO_CODE_GRAPH: translatable("no code graph"),
    RecallCode.NO_FILE_NAMED: translatable("no file in the query"),
    RecallCode.NOTHING_FOUND: translatable("nothing found yet"),
    RecallCode.TOO_FEW: translatable("too few candidates"),
    RecallCode.NO_RELATED_FILE: translatable("no related file"),
    RecallCode.NO_RERANKER: translatable("no reranker"),
    RecallCode.NOTHING_TO_RANK: translatable("nothing to rank"),
    RecallCode.NO_READER: translatable("no model to read with"),
    RecallCode.RERANKED: translatable("a reranker scored the hits"),
    RecallCode.TOO_FEW_WORDS: translatable("a query of one word"),
    RecallCode.NAMES_A_TIME: translatable("the query names a time"),
    RecallCode.ASKS_PAST: translatable("the query asks about the past"),
    RecallCode.NO_DECAY_SCALES: translatable("no decay rates"),
    RecallCode.NO_CHAT_MODEL: translatable("no language model"),
    RecallCode.ENOUGH_FOUND: translatable("enough certain hits"),
    RecallCode.NO_EXACT_NAME: translatable("no exact name in the query"),
    RecallCode.NO_ENTITIES: translatable("no entity registry"),
    RecallCode.NO_ENTITY_NAMED: translatable("no name in the query"),
    RecallCode.MODEL_FAILED: translatable("searched by words only, because the embedding model failed: {error}"),
    RecallCode.NOTHING_EMBEDDED: translatable("searched by words only, because nothing is embedded with {model} yet"),
    RecallCode.NOTHING_EMBEDDED_YET: translatable(
        "searched by words only, because nothing is embedded with {model} yet: {error}"
    ),
    RecallCode.RERANKER_FAILED: translatable("not reranked, because the reranker failed: {error}"),
    RecallCode.READER_FAILED: translatable("hits not read, because the reader failed: {error}"),
    RecallCode.CHAT_FAILED: translatable("searched without the language model, which failed: {error}"),
}
