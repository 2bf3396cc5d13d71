"""Adapters for agent frameworks; each module needs its framework, which an extra of the same name installs."""
