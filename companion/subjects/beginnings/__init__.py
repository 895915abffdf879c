"""Pages that begin: the third note about a thing, and notes beside another's page."""
