"""The names of months and days of the week in English and French, in lower case."""

from __future__ import annotations

MONTHS = tuple("january february march april may june july august september october november december".split())
FRENCH_MONTHS = tuple("janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split())
WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
FRENCH_WEEKDAYS = tuple("lundi mardi mercredi jeudi vendredi samedi dimanche".split())
