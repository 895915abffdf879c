"""How a query is read, and how a word is corrected of which nothing is found."""
