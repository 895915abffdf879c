"""AUDIT (MaM §5.8)."""
