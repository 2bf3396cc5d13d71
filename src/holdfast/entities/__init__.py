"""Who and what a text names, and the registry of those names."""
