"""Adapters inside their real frameworks, with scripted models; `make adapters` installs the frameworks."""
