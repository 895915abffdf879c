"""The life of one entry: decaying, compressed, archived, restored (MaM §5.3)."""
