"""Find passages of pages and pending notes by their words, and by what a query demands."""
