"""CTX-7 broken: the depth is chosen for the wiki as it was when the source came in: empty."""

from honest import within

BREAKS = "CTX-7"
EXPECTS = "CTX-7: the night judged by an older wiki"

within(
    {
        "companion.operations.contextualize.represent": """
    class Surroundings(honest.Surroundings):
        def around(self, document, **about):
            context = honest.Surroundings.around(self, document, **about)
            return context._replace(notes=(), pages=(), links=0, elsewhere=0)
    """
    }
)
