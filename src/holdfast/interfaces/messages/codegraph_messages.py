"""The English messages of the package codegraph."""

from __future__ import annotations

from holdfast.codegraph.code_reasons import CodeGraphCode
from holdfast.interfaces.language import translatable

MESSAGES = {
    CodeGraphCode.BINARY: translatable("a binary file"),
    CodeGraphCode.BUNDLED: translatable("bundled or compiled JavaScript"),
    CodeGraphCode.ENCODING: translatable("text in an unknown encoding"),
    CodeGraphCode.FAILED: translatable("an error of Holdfast"),
    CodeGraphCode.GENERATED: translatable("generated code"),
    CodeGraphCode.LINK: translatable("a symbolic link"),
    CodeGraphCode.MINIFIED: translatable("minified code"),
    CodeGraphCode.NOT_A_FILE: translatable("not a regular file"),
    CodeGraphCode.SUBMODULE: translatable("a Git submodule"),
    CodeGraphCode.TOO_COMPLEX: translatable("takes too long to read"),
    CodeGraphCode.TOO_LARGE: translatable("too large"),
    CodeGraphCode.UNREADABLE: translatable("cannot be read"),
    CodeGraphCode.VENDORED: translatable("a copy of a library"),
}
