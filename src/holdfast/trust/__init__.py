"""Trust in memories: review by people, confidence over time, and contradictions between statements."""
