"""Benchmarks that need no data set, and the list of all benchmarks. Those of the folder `bench` run in a clone."""
