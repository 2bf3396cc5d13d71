"""Measures the observer on real agents' sessions."""
