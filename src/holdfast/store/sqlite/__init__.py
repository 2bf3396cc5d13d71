"""The embedded engine: one SQLite file is the truth, everything else in it is derived and can be rebuilt."""
