"""What an audit writes down: its findings, their lines in the ledger, and its report."""
