"""Keeps files that people can read and edit: MEMORY.md, HISTORY.md and a JSONL log of each session."""
