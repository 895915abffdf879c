"""Cross attention: an encoder that reads a statement and a note together (ADR 213)."""
