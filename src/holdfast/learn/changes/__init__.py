"""Changes of mind: which statements of a conversation may change an earlier one, and what holds then.

They are found by their words (`told_changes`, `bare_corrections`) or by reading them with what was said before
(`read_changes`). Whether one replaces a memory is decided in `learn/resolve.py`, like of everything that is learned.
"""
