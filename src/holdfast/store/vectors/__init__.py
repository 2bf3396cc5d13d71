"""Nearest-neighbour search over stored vectors: an index in memory and in a mapped file, the same for every engine."""
