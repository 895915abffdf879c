"""DECAY (MaM §5.3)."""
