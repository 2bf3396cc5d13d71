"""Compares short statements: does one repeat, replace or contradict the other?"""

from holdfast.trust.statements.verdict import Verdict, compare

__all__ = ["Verdict", "compare"]
