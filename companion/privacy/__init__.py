"""Secrets and erased words."""
