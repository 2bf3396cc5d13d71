"""Writing to the store: one module per owner of tables; the import contracts say who may use which."""
