"""CTX-2 broken: line ends are made alike before a source is stored."""

from honest import within

BREAKS = "CTX-2"
EXPECTS = "CTX-2: the bytes were changed at the door"

within(
    {
        "companion.operations.triage.receive": """
    class Receiver(honest.Receiver):
        def receive(self, parcel, content, container=None):
            content = content.replace(b"\\r\\n", b"\\n")
            return honest.Receiver.receive(self, parcel, content, container)
    """
    }
)
