"""Signals between the wikis of different people, and never content (MaM §6.1, §10.2)."""
