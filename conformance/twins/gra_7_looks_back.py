"""GRA-7 broken: the cost of losing a page is how often it was linked to."""

from honest import within

BREAKS = "GRA-7"
EXPECTS = "GRA-7: fragmentation is not what would break now"

within(
    {
        "companion.gravity.topology": """
        def count_unsupported(size, tails, heads):
            import numpy

            return numpy.bincount(heads, minlength=size).tolist()
    """,
    }
)
