"""Compare captures with each other and with pages (MaM §5.5, phases 1 and 2)."""
