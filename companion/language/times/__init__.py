"""Times in sentences."""
