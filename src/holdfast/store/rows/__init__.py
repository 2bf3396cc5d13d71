"""Maps values to rows and back, the same for every engine."""
