"""Prepares a query: its vector, its spelling and other wordings."""
