"""CTX-5 broken: the depth that a person asks for is not taken."""

from honest import within

BREAKS = "CTX-5"
EXPECTS = "CTX-5: the person is not heard"

within(
    {
        "companion.operations.contextualize.represent": """
    def choose_depth(context, size, override=None):
        return honest.choose_depth(context, size, None)
    """
    }
)
