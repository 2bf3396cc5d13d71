"""Indexes the documents and the code of a project together, once or whenever a file changes."""
