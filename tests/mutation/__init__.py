"""Break the pure rules one token at a time, and see whether a test notices."""
