"""What rests on what: follow it from a thing that falls, and flag it (LED-12)."""
