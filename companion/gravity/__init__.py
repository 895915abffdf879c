"""Memory gravity (MaM §5.6)."""
