"""Extracts facts, decisions and commitments from a conversation by rules, without a language model."""

from holdfast.conversation.extract.amendments import amended
from holdfast.conversation.extract.rules import ExtractedTalk, extract, learn

__all__ = ["ExtractedTalk", "amended", "extract", "learn"]
