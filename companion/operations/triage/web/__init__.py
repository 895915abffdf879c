"""Addresses that `ingest` fetches: which it may, how, and what becomes of the answer."""
