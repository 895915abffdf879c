"""How a query is read, with its times, and how a word is corrected of which nothing is found."""
