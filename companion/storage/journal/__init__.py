"""journal.db: what is not in git yet."""
