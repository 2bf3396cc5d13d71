"""Trust in memories: review by people, propagation of confidence, and contradictions between statements."""
