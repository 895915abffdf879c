"""INV-3 broken: the id is handed out whether or not the buffer could be written."""

import hashlib
import sys

from honest import WORDS, answer, say, text, verb

BREAKS = "INV-3"
EXPECTS = "INV-3: acknowledged what was never written"

done = answer(*WORDS)
if verb() == "ingest" and done.returncode:
    print("captured", hashlib.sha256(text().encode()).hexdigest())
    sys.exit(0)
say(done)
