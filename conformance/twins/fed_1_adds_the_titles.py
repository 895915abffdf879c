"""FED-1 broken: the message that is kept for sending has the titles behind its numbers."""

from honest import within

BREAKS = "FED-1"
EXPECTS = "FED-1: what is shown is not what would be sent"

within(
    {
        "companion.federation.kept": """
        def note_sent(state, sent):
            titles = "".join(sorted(sent.topics)).encode()
            words = titles or b"nothing"
            honest.note_sent(state, sent._replace(message=sent.message + words.hex()))
    """,
    }
)
