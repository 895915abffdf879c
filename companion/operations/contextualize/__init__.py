"""CONTEXTUALIZE: fit external sources to the depth of their reader (MaM §5.4)."""
