"""Estimates whether a candidate answers the query."""
