"""Finds the people and things that texts name, and manages the registry of these entities."""
