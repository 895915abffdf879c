"""Names: their forms, the words before them, and the name of what notes are about."""
