"""Reaches the machine: files, folders, git, locks and worker processes."""
