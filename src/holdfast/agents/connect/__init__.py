"""Connects agent programs: adds our hooks and our MCP server to their configuration, and takes them out again."""
