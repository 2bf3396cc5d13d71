"""The English messages of the package documents: problems of files, and contradictions."""

from __future__ import annotations

from holdfast.documents.document_reasons import DocumentCode
from holdfast.interfaces.language import translatable

MESSAGES = {
    DocumentCode.BAD_NAME: translatable("the name contains characters that cannot be stored"),
    DocumentCode.CONFIDENTIAL_NAME: translatable("the name contains a secret; rename the file"),
    DocumentCode.DIFFERENCE: translatable("{difference}"),
    DocumentCode.ENERGY: translatable("energy {energy}"),
    DocumentCode.FIELD: translatable("field {field} of the front matter: {problem}"),
    DocumentCode.FOLDER_UNREADABLE: translatable("the folder cannot be read ({error})"),
    DocumentCode.GREW: translatable("the file grew beyond {limit} bytes (index_max_bytes) while it was read"),
    DocumentCode.LINE: translatable("line {line} of the front matter is not `name: value`: {text}"),
    DocumentCode.LINK_OUTSIDE: translatable("the link leads out of the project"),
    DocumentCode.MISSING: translatable("there is no such file or folder"),
    DocumentCode.MISSING_BRACKET: translatable("the closing ] is missing"),
    DocumentCode.NOT_A_FILE: translatable("it is not a regular file"),
    DocumentCode.NOT_TOML: translatable("the front matter is not TOML ({error})"),
    DocumentCode.NOT_UTF8: translatable("byte {byte} is not UTF-8; such bytes were replaced"),
    DocumentCode.STAT_FAILED: translatable("the file cannot be inspected ({error})"),
    DocumentCode.TOO_LARGE: translatable("the file has {bytes} bytes, and index_max_bytes is {limit}"),
    DocumentCode.UNCLOSED_FRONT_MATTER: translatable("the front matter is not closed"),
    DocumentCode.UNCLOSED_QUOTE: translatable("a quotation mark is not closed"),
    DocumentCode.UNREADABLE: translatable("the file cannot be read ({error})"),
    DocumentCode.VANISHED: translatable("the file disappeared while it was read"),
}
