"""Compares short statements: does one repeat, replace or contradict the other?"""

from holdfast.statements.comparison import change_odds, compare
from holdfast.statements.verdict import Verdict, marks_change, say_the_same

__all__ = ["Verdict", "change_odds", "compare", "marks_change", "say_the_same"]
