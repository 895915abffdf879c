"""Claims read out of prose, by rule and by data per language."""
