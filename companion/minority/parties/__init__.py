"""Who stands against whom in phase 4: the incumbents, and all that challenges them."""
