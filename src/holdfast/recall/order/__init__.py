"""Orders hits: later statements, documents, repeated texts."""
