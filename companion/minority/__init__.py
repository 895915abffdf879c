"""Minority branches (MaM §5.5 phase 4, §5.7)."""
