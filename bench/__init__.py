"""Measurements of the product, each beside its budget and, where there is one, beside a peer on the same work."""
