"""Steps that find candidates."""
