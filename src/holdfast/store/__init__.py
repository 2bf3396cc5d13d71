"""One Protocol each for what is kept: a reading face for all, a small writing face per owner."""
