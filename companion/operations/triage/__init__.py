"""TRIAGE (MaM §5.2)."""
