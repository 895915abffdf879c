"""INV-6 broken: the preview of an erasure is the erasure."""

import json
import sys

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "INV-6"
EXPECTS = "INV-6: erased without the owner's word"

if verb() != "erase" or "--confirm" in WORDS:
    from honest import pass_on

    pass_on()
words = sys.stdin.buffer.read()
shown = answer(*WORDS, stdin=words)
preview = document(shown) or json.loads(b"{}")
answer(*WORDS, "--confirm", preview.get("confirm", ""), stdin=words)
say(shown, encoded(preview))
