"""CTX-2 broken: the door reads a page's title and writes it into the header."""

from honest import within

BREAKS = "CTX-2"
EXPECTS = "CTX-2: something was derived at the door"

within(
    {
        "companion.operations.triage.receive": """
    import re

    class Receiver(honest.Receiver):
        def make(self, parcel, content, container=None):
            item = honest.Receiver.make(self, parcel, content, container)
            title = None
            if isinstance(content, bytes):
                title = re.search(b"<title>(.*?)</title>", content)
            if title is None:
                return item
            return item._replace(name=title[1].decode())
    """
    }
)
