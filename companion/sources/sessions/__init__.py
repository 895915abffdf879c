"""Sessions with coding agents, as their programs log them: one file, one conversation."""
