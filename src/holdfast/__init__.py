"""Holdfast: the memory an agent keeps its grip with."""

from holdfast.version import __version__

__all__ = ["__version__"]
