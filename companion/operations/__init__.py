"""The operations of the paper (MaM §5). They never import each other."""
