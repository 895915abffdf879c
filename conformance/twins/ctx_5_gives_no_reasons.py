"""CTX-5 broken: the depth is recorded without what it was chosen for."""

from honest import within

BREAKS = "CTX-5"
EXPECTS = "CTX-5: a depth without reasons"

within(
    {
        "companion.operations.contextualize.represent": """
    def choose_depth(context, size, override=None):
        return honest.choose_depth(context, size, override)._replace(evidence=())
    """
    }
)
