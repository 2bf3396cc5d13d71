"""Compares short statements: does one repeat, replace or contradict the other?"""

from holdfast.trust.statements.verdict import Verdict, compare, say_the_same

__all__ = ["Verdict", "compare", "say_the_same"]
