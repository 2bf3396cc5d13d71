"""The largest size of Holdfast's embedding model, as files; Holdfast reads them."""
