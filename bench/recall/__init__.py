"""`holdfast bench recall`: search quality on real data, with other systems in the same run."""
