"""PRE-2 broken: the setting is read, and gravity protects all the same."""

from honest import within

BREAKS = "PRE-2"
EXPECTS = "PRE-2: gravity cannot be switched off"

within({"companion.gravity.measure": "SWITCHED_OFF = 1.0"})
