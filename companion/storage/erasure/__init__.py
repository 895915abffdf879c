"""Erasing words from storage."""
