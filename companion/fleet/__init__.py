"""Nights of many wikis at once: each a shard that is readable and usable alone."""
