"""External sources: what their bytes say, read by one reader a kind of file."""
