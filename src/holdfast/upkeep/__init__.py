"""Background work without a daemon: one table of jobs, one leased process."""
