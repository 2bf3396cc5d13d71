"""Values, settings, errors, clock and ids that all packages share; uses only the standard library."""
