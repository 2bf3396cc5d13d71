"""Records what the program does, and compares it later: `python -m bench.frozen`, or `make frozen`."""
