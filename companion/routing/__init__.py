"""The conflict routing matrix (MaM §5.0)."""
