"""The one door in: scan, junk, duplicate, conflict, write."""
