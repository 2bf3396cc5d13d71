"""Stores sessions and what was said in them, and writes the files that show what is known."""
