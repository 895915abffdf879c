"""PRE-1 broken: what others rest on fades like anything else."""

from honest import within

BREAKS = "PRE-1"
EXPECTS = "PRE-1: gravity does not keep what others rest on"

within({"companion.gravity.measure": "base_gravity = lambda *parts: 0.0"})
