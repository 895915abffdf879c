"""CONSOLIDATE (MaM §5.5)."""
