"""Measures candidates and weighs the measures."""
