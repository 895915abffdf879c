"""The facts sections of pages: what they show of the ledger, and what a person corrects in them."""
