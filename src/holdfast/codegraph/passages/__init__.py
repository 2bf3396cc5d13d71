"""Cuts code into chunks that can be searched, at the borders of its definitions."""
