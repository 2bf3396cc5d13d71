"""Quality and speed of the code graph, compared with compiler-based indexers."""
