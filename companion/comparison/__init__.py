"""Who is compared with whom, and what it comes to (MaM §5.5, phases 1 and 2)."""
