"""INV-8 broken: CONTEXTUALIZE writes the page of a source."""

from honest import within

BREAKS = "INV-8 CTX-8"
EXPECTS = "INV-8: contextualize wrote a page"

within(
    {
        "companion.runs.run": """
    class Run(honest.Run):
        def publish(self, record, writes, subject, body, **more):
            from companion.values.decisions import Write

            if record.operation == "contextualize":
                writes = [*writes, Write("entries/Tides.md", b"High tide is at six.")]
            return honest.Run.publish(self, record, writes, subject, body, **more)
    """
    }
)
