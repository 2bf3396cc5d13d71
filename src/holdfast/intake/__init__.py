"""Intake of memories, messages and archives: removes secrets, refuses junk, finds duplicates and conflicts, writes."""
