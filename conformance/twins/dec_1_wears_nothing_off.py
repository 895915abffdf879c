"""DEC-1 broken: a compressed page has lost nothing."""

from honest import within

BREAKS = "DEC-1"
EXPECTS = "DEC-1: wear of .* is not its weight times"

within(
    {
        "companion.operations.decay.vitality": """
        def terms(*, distortion, **rest):
            return honest.terms(distortion=0.0, **rest)
    """,
    }
)
