"""The claim ledger."""
