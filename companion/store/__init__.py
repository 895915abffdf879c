"""Where bytes live: git, journal.db, index.db. Obeys plans, decides nothing."""
