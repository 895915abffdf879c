"""CON-6 broken: the entries change first, and the branch a moment later."""

import time

from honest import WORDS, alter, answer, rows, say, verb

BREAKS = "CON-6"
EXPECTS = "CON-6: a reader saw half of a promotion"

done = answer(*WORDS)
if verb() == "consolidate" and rows(
    "index.db", "SELECT 1 FROM branches WHERE state = 'promoted'"
):
    alter(
        "index.db",
        "UPDATE branches SET state = 'open' WHERE state = 'promoted'",
    )
    time.sleep(1)
    alter("index.db", "UPDATE branches SET state = 'promoted'")
say(done)
