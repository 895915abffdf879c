"""Reading of what texts state, by rule and by word lists."""
