"""The English messages of the package intake."""

from __future__ import annotations

from holdfast.intake.intake_reasons import IntakeCode
from holdfast.interfaces.language import translatable

MESSAGES = {
    IntakeCode.NEW: translatable("new"),
    IntakeCode.MESSAGE: translatable("stored word for word"),
    IntakeCode.SAME_TEXT: translatable("the same text is already stored"),
    IntakeCode.SAME_MEANING: translatable("a memory says the same in other words"),
    IntakeCode.UNCHANGED: translatable("the memory already says this"),
    IntakeCode.REPLACES: translatable("it replaces {ids}"),
    IntakeCode.MERGED: translatable("{id} was a duplicate of {kept}"),
    IntakeCode.PROPOSED: translatable(
        "it is proposed in place of {id}, which is a person's memory, and needs a review"
    ),
    IntakeCode.PROTECTED: translatable("a person taught, confirmed or pinned {id}, and only a person can replace it"),
    IntakeCode.UNTRUSTED: translatable("it came from an untrusted tool and needs a review"),
    IntakeCode.CONTRADICTS: translatable(
        "it may contradict {id}, “{text}”: {why}; both are kept for review. If only the new one holds, run "
        "`holdfast forget {id}`; if both hold, `holdfast confirm {new}`"
    ),
    IntakeCode.QUOTE_NOT_SAID: translatable(
        "nobody said the quoted words in this project, or they say something else, so they were left out"
    ),
    IntakeCode.FORGOTTEN: translatable("this was forgotten on purpose; `holdfast restore {id}` restores it"),
    IntakeCode.EMPTY: translatable("the text is empty"),
    IntakeCode.NO_WORDS: translatable("the text has no words"),
    IntakeCode.TOO_LONG: translatable(
        "the text is {count} characters long, more than the {limit} of a memory: index it as a document instead"
    ),
    IntakeCode.MESSAGE_TOO_LONG: translatable("the message has {count} characters, more than {limit}"),
    IntakeCode.PLACEHOLDER: translatable("the text is a placeholder"),
    IntakeCode.REPETITION: translatable("the text only repeats itself"),
    IntakeCode.LOG_LINES: translatable("the text is only progress or routine log lines"),
    IntakeCode.COURTESY: translatable("the text is a courtesy or a confirmation, with nothing to remember"),
    IntakeCode.ANNOUNCEMENT: translatable("the text says only what its author does next, with nothing to remember"),
    IntakeCode.ONLY_SECRETS: translatable("the text contains only a secret, which was removed"),
    IntakeCode.NUL_BYTES: translatable("the text contains NUL bytes: is it a binary file?"),
    IntakeCode.LONE_SURROGATES: translatable("the text contains lone surrogates: it was not decoded as UTF-8"),
    IntakeCode.CONTROL_CHARACTERS: translatable("the text is full of control characters: is it a binary file?"),
    IntakeCode.REPLACEMENT_CHARACTERS: translatable(
        "the text is full of replacement characters: it was read with the wrong encoding"
    ),
}
