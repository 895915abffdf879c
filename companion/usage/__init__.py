"""What was read, and its utility (MaM §5.3)."""
