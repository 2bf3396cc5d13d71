"""Questions about the code graph: what a change affects, what code depends on, how data flows, which modules exist."""
