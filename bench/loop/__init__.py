"""Measures hooks and injection by replaying real agents' sessions."""
