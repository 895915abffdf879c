"""Frozen values that every layer may hold. Imports nothing of ours but the package root."""
