"""Why a repository cannot be scored."""

from __future__ import annotations


class CloneFailed(Exception):
    """A repository could not be cloned, or its clone is at another commit."""


class IndexerMissing(Exception):
    """The indexer is not installed, or it failed."""


class NoResolver(Exception):
    """The language has no resolver."""
