"""Turns text into searchable words: tokenising, stemming, spelling and word bags, the same for every engine."""
