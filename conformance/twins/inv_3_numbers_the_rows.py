"""INV-3 broken: the id is counted up from the buffer, so it exists only once the buffer is
written.
"""

import hashlib

from honest import WORDS, answer, document, encoded, rows, say, verb

BREAKS = "INV-3"
EXPECTS = r"- d986222c\w+\n\+ (?!d986222c)\w+"

done = answer(*WORDS)
told = document(done)
if verb() == "ingest" and told:
    (count,) = rows("journal.db", "SELECT max(seq) FROM captures") or [(0,)]
    for capture in told["captures"]:
        capture["id"] = hashlib.sha256(
            str(count[0] if isinstance(count, tuple) else count).encode()
        ).hexdigest()
    say(done, encoded(told))
say(done)
