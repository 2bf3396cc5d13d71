"""The benchmark of the embedding models: search quality, speed and size."""
