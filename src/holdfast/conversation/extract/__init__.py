"""What is worth keeping of a conversation, found without a model."""

from holdfast.conversation.extract.amending import amended
from holdfast.conversation.extract.learning import learn

__all__ = ["amended", "learn"]
