"""How many formats of secrets the door knows, and what it takes for one that is none."""
