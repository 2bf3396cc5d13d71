"""Imports the rules and memories that other programs keep in files."""
