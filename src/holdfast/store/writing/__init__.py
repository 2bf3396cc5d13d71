"""The writing faces, one module per owner of tables: the import contracts say who may hold which."""
