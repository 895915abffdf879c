"""DEC-1 broken: a weight of 0 is a weight."""

from honest import within

BREAKS = "DEC-1"
EXPECTS = "exit 65"

within(
    {
        "companion.config_checks": "def _check_vitality_number(name, value): return float(value)"
    }
)
