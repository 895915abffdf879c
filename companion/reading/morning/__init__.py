"""The morning: what waits, what the last night did, and what it left for its owner."""
