"""Stores sessions and learns from them: facts, history and reflections, and the files that show them."""
