"""What happens to one entry over its life: decaying, compressed, archived, restored (MaM §5.3)."""
