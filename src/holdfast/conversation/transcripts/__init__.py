"""What was said elsewhere: transcripts of other programs, read as messages."""
