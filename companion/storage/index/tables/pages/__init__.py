"""Tables of pages: their names and links, statements, entries, and what they gather."""
