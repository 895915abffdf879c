"""This machine: what it says of itself now, and what earlier wakes saw."""
