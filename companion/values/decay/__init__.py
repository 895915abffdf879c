"""The rules and numbers of forgetting: how old use counts, and the thresholds of vitality."""
