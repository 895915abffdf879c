"""The index as of now, and what a name means."""
