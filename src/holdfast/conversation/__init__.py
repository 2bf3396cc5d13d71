"""What was said, and what is learned from it: sessions, facts, history, reflections, and the files that show them."""
