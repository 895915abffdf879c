"""What decides the order of what a search finds, beside its words."""
