"""Pairs of a statement and a note: the corpus, the training of heads, what they reach."""
