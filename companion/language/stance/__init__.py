"""How a later note stands to an earlier statement, by a small trained judge."""
