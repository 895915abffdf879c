"""Fold the tree into the index: ledger files, pages, and the entry that each page is."""
