"""CTX-6 broken: the new cold object does not name the one before."""

from honest import within

BREAKS = "CTX-6 OBJ-3"
EXPECTS = "CTX-6: the object before is lost"

within(
    {
        "companion.operations.contextualize.run": """
    def identify(run, read, at):
        one = honest.identify(run, read, at)
        return one._replace(cold=one.cold._replace(previous=None))
    """
    }
)
