"""The code graph of a project: its files and symbols, what depends on what, and what a change affects."""
