"""Finding damage, and mending what can be derived."""
