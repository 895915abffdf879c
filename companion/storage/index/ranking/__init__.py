"""The order of a search's hits, so far as other things than its words decide it."""
