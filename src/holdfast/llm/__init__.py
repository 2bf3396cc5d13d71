"""Asks language models over HTTP or through a program, under a daily ceiling, and repairs their answers."""
