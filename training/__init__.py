"""Training of the embedding model: which public texts it learns from, and how pairs are made of them. Not in the wheel."""
