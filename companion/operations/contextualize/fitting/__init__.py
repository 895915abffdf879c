"""Fit a source: its pieces, what they are worth to the reader, which are kept, how they stand."""
