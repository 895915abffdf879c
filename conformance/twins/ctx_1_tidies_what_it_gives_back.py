"""CTX-1 broken: the original comes back with other line ends."""

from honest import within

BREAKS = "CTX-1"
EXPECTS = "CTX-1: what comes back is not what came in"

within(
    {
        "companion.reading.recall": """
    def _stream(repo, found):
        for chunk in honest._stream(repo, found):
            yield chunk.replace(b"\\r\\n", b"\\n")
"""
    }
)
