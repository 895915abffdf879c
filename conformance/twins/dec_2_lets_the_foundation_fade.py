"""DEC-2 broken: the floor looks at effective gravity, which time takes from everything."""

from honest import within

BREAKS = "DEC-2"
EXPECTS = "DEC-2: what bears weight fades"

within(
    {
        "companion.operations.decay.plan": (
            "def find_protection(each, floor): return 'heavy' if each.terms.gravity > floor.value"
            " else None"
        )
    }
)
