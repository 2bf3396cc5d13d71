"""The query and passage prefixes of known families of embedders, for models whose files do not state them."""

from __future__ import annotations

_SEARCHING = "Represent this sentence for searching relevant passages: "
_INSTRUCTION = "Instruct: Given a question, retrieve the passages that answer it\nQuery:"

# The first family whose name occurs in the model's name applies.
_FAMILIES = {
    "qwen3-embedding": (_INSTRUCTION, ""),
    "nomic-embed-text": ("search_query: ", "search_document: "),
    "snowflake-arctic-embed2": ("query: ", ""),
    "snowflake-arctic-embed": (_SEARCHING, ""),
    "mxbai-embed-large": (_SEARCHING, ""),
    "bge-small-en": (_SEARCHING, ""),
    "bge-base-en": (_SEARCHING, ""),
    "bge-large-en": (_SEARCHING, ""),
    "multilingual-e5": ("query: ", "passage: "),
}


def prefixes(model: str) -> tuple[str, str]:
    """Returns the query prefix and the passage prefix of a model by its name; both empty for an unknown family."""
    lowered = model.lower()
    return next((pair for family, pair in _FAMILIES.items() if family in lowered), ("", ""))
