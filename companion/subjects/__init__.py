"""Find the page of the wiki that a note belongs to, if any (design: pages gather subjects)."""
