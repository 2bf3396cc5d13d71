"""Reads from git which files change together, and predicts the companions of a change."""
