"""Benchmarks: each figure with its budget and, if available, the figure of another system for the same work."""
