"""Pages that branches contradict, and the contests about them."""
