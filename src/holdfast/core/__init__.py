"""Values, settings, errors, clock and ids that every room shares; standard library only."""
