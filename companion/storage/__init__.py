"""Where bytes live: files, git, journal.db, index.db and the ledger."""
