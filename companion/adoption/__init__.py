"""A person's own edits, undo and revert."""
