"""The texts of a project's files: cut into chunks, indexed and kept up to date with the files."""
