"""Benchmarks of learning from conversations."""
