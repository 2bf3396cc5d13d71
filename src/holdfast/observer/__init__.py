"""Learns from what agents do: events of a session become observations, and repeated observations become memories."""
