"""Decides which memories an agent gets during its work, when, and within which budget."""
