"""How two statements stand to each other, by rule."""
