"""What is worth keeping of a conversation, found without a model."""

from holdfast.conversation.extract.amendments import amended
from holdfast.conversation.extract.rules import learn

__all__ = ["amended", "learn"]
