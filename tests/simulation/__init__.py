"""Several machines over simulated years, by a seed: what they do, and what must hold."""
