"""Background work without a daemon: a table of jobs, run by one process that holds a lease."""
