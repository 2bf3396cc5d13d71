"""Extracts facts, decisions and commitments from a conversation by rules, without a language model.

Imports nothing: a hook uses a part of it and must start quickly.
"""
