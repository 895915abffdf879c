"""What wikis of different people tell each other: signals, and never content (MaM §6.1, §10.2)."""
