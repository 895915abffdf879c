"""Tell a text that is a conversation from a note, for the door: its words are of several people."""

import re

# how the first message of a WhatsApp chat begins: a date, and no other kind of note does so often
_DATED = re.compile(
    "[\ufeff\u200e]*\\[?[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4},? "
)
_PROMPT = '"chunkedPrompt"'  # of Google AI Studio, whose files have no ending
_LOOK = 65_536  # characters


def is_transcript(text: str, name: str) -> bool:
    """Tell whether the file *name* with *text* is a conversation that a program exported.

    Costs a note next to nothing: readers are imported only where the first line begins with a date.
    """
    if text[:1] == "{":
        return _PROMPT in text[:_LOOK]
    if _DATED.match(text) is None:
        return False
    from companion.sources.conversations.whatsapp import recognise_chat

    return recognise_chat(text[:_LOOK].encode("utf-8", "replace"), name)
