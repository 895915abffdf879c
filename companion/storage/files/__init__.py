"""Files, written so that a power cut loses nothing."""
