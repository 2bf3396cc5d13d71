"""The English messages of the package conversation."""

from __future__ import annotations

from holdfast.interfaces.language import translatable
from holdfast.learn.learn_reasons import ConversationCode

MESSAGES = {
    ConversationCode.NOT_JSON: translatable("not JSON"),
    ConversationCode.LINE_TOO_LONG: translatable("line too long"),
    ConversationCode.UNKNOWN_RECORD: translatable("unknown type of record"),
    ConversationCode.SUB_AGENT: translatable("from a sub-agent"),
    ConversationCode.INJECTED: translatable("added by the program"),
    ConversationCode.REPEATED: translatable("repeated"),
    ConversationCode.NOT_A_TRANSCRIPT: translatable("not a transcript"),
    ConversationCode.OTHER_PROJECT: translatable("from another project"),
    ConversationCode.MESSAGE_TOO_LONG: translatable("message too long"),
    ConversationCode.MODEL_CEILING: translatable("the daily limit of language model calls is reached"),
    ConversationCode.MODEL_FAILED: translatable("the language model failed ({error})"),
    ConversationCode.FILES_NOT_WRITTEN: translatable("The files were not written: {error}"),
    ConversationCode.NO_WEEK_YET: translatable("the first memory is less than {days} days old"),
    ConversationCode.TOO_FEW_FACTS: translatable("fewer than {needed} new facts in seven days ({facts})"),
    ConversationCode.REFLECTED_RECENTLY: translatable("the last one is from {day}; the next is due {days} days later"),
    ConversationCode.NOTHING_NOTABLE: translatable("nothing notable in the last week"),
    ConversationCode.CHANGED_SINCE: translatable("changed elsewhere since the file was written"),
    ConversationCode.ALSO_CHANGED: translatable("it was also changed elsewhere"),
    ConversationCode.WAS_FORGOTTEN: translatable("its memory was forgotten since the file was written"),
    ConversationCode.MANY_DELETED: translatable("deleted together with many others"),
    ConversationCode.FILE_TRUNCATED: translatable("the end of the file is missing"),
    ConversationCode.FILE_TRACKED: translatable("git tracks the file, so others may have written it"),
    ConversationCode.FILE_FROM_ELSEWHERE: translatable("the file comes from elsewhere"),
}
