"""Reads the transcripts of other programs and imports their messages."""
