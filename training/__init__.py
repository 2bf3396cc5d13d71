"""Training of the embedding model: the public texts it learns from and the pairs made of them. Not in the wheel."""
