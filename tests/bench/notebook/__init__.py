"""What `ask` makes of sixty plain questions about forty plain notes."""
