"""Reads of entries, and the utility that follows from them (MaM §5.3)."""
