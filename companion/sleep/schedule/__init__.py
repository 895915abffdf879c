"""The system's own timer, which wakes the companion often; the companion decides (SCH-2)."""
