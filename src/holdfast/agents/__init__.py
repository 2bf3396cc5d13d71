"""Knows the programs of agents: transcripts, tools, hooks, configuration files, and the journal of a session."""
