"""Binds memories to code: makes anchors, checks them against the files, follows code that moved, shows what changed."""
