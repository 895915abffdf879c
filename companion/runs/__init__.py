"""The frame of every operation: lock, snapshot, publication."""
