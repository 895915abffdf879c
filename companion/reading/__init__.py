"""Reads: search, show, why, log, status, review."""
