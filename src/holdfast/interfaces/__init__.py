"""Doors: parse, call one workspace verb, render."""
