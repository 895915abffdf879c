"""Markdown pages, without any input or output."""
