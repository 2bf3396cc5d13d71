"""What is learned from conversations, and how fast."""
