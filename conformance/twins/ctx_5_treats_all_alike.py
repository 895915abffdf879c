"""CTX-5 broken: every source gets the same depth, whoever reads it."""

from honest import within

BREAKS = "CTX-5"
EXPECTS = "CTX-5: the wiki does not matter"

within(
    {
        "companion.operations.contextualize.represent": """
    def choose_depth(context, size, override=None):
        depth = honest.choose_depth(context, size, override)
        return depth._replace(step="key points")
    """
    }
)
