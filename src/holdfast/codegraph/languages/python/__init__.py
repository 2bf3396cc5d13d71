"""Python: reads files with tree-sitter and resolves imports, names, methods and the types of receivers."""
