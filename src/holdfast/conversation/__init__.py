"""What was said, kept as it was said."""
