"""Finds candidates on several paths, ranks them, abstains when evidence is weak, and packs hits for a prompt."""
