"""The interfaces: each parses its input, calls one workspace verb and renders the result."""
