"""CTX-6 broken: a source that was read before is compressed from what was kept of it."""

from honest import within

BREAKS = "CTX-6"
EXPECTS = "CTX-6: the page was made of a page"

within(
    {
        "companion.operations.contextualize.run": """
    def identify(run, read, at):
        one = honest.identify(run, read, at)
        if one.before is None:
            return one
        kept = []
        text = one.read.document.text
        for span in one.before.spans:
            words = text[span.start : span.end]
            passages = one.read.document.passages
            kept += [each for each in passages if each.text in words]
        document = one.read.document._replace(passages=tuple(kept))
        return one._replace(read=one.read._replace(document=document))
    """
    }
)
