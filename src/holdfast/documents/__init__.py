"""Text that lies in files: cut into passages, kept in step with its source."""
