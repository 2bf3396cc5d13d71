"""`holdfast bench recall`: how well the right passage is found, on real data, beside others in the same run."""
