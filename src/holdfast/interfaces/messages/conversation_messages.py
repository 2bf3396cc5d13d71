"""The English messages of the package conversation."""

from __future__ import annotations

from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.interfaces.language import translatable
from holdfast.learn.learn_reasons import LearnCode
from holdfast.sessions.memory_files.edit_reasons import EditCode

MESSAGES = {
    TranscriptCode.NOT_JSON: translatable("not JSON"),
    TranscriptCode.LINE_TOO_LONG: translatable("line too long"),
    TranscriptCode.UNKNOWN_RECORD: translatable("unknown type of record"),
    TranscriptCode.SUB_AGENT: translatable("from a sub-agent"),
    TranscriptCode.INJECTED: translatable("added by the program"),
    TranscriptCode.REPEATED: translatable("repeated"),
    TranscriptCode.NOT_A_TRANSCRIPT: translatable("not a transcript"),
    TranscriptCode.OTHER_PROJECT: translatable("from another project"),
    TranscriptCode.MESSAGE_TOO_LONG: translatable("message too long"),
    LearnCode.MODEL_CEILING: translatable("the daily limit of language model calls is reached"),
    LearnCode.MODEL_FAILED: translatable("the language model failed ({error})"),
    LearnCode.FILES_NOT_WRITTEN: translatable("The files were not written: {error}"),
    LearnCode.NO_WEEK_YET: translatable("the first memory is less than {days} days old"),
    LearnCode.TOO_FEW_FACTS: translatable("fewer than {needed} new facts in seven days ({facts})"),
    LearnCode.REFLECTED_RECENTLY: translatable("the last one is from {day}; the next is due {days} days later"),
    LearnCode.NOTHING_NOTABLE: translatable("nothing notable in the last week"),
    EditCode.CHANGED_SINCE: translatable("changed elsewhere since the file was written"),
    EditCode.ALSO_CHANGED: translatable("it was also changed elsewhere"),
    EditCode.WAS_FORGOTTEN: translatable("its memory was forgotten since the file was written"),
    EditCode.MANY_DELETED: translatable("deleted together with many others"),
    EditCode.FILE_TRUNCATED: translatable("the end of the file is missing"),
    EditCode.FILE_TRACKED: translatable("git tracks the file, so others may have written it"),
    EditCode.FILE_FROM_ELSEWHERE: translatable("the file comes from elsewhere"),
}
