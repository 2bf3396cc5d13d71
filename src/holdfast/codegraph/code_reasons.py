"""The codes of the reasons why files are not part of the code graph."""

from __future__ import annotations

from holdfast.core.reason import Code


class CodeGraphCode(Code):
    """Why a file was skipped."""

    BINARY = "codegraph.binary"
    BUNDLED = "codegraph.bundled"
    ENCODING = "codegraph.encoding"
    FAILED = "codegraph.failed"
    GENERATED = "codegraph.generated"
    LINK = "codegraph.link"
    MINIFIED = "codegraph.minified"
    NOT_A_FILE = "codegraph.not_a_file"
    SUBMODULE = "codegraph.submodule"
    TOO_COMPLEX = "codegraph.too_complex"
    TOO_LARGE = "codegraph.too_large"
    UNREADABLE = "codegraph.unreadable"
    VENDORED = "codegraph.vendored"


# Reasons that concern a file of source code which should be in the graph: reports name each such file.
UNREAD = frozenset([CodeGraphCode.FAILED, CodeGraphCode.TOO_COMPLEX, CodeGraphCode.UNREADABLE])
