"""CON-6 broken: new pages are in the index a moment before their links."""

import time

from honest import WORDS, alter, answer, say, verb

BREAKS = "CON-6"
EXPECTS = "CON-6: a reader saw pages without their links"

done = answer(*WORDS)
if verb() == "consolidate":
    alter(
        "index.db",
        "CREATE TABLE later AS SELECT * FROM edges",
        "DELETE FROM edges",
    )
    time.sleep(2)
    alter(
        "index.db",
        "INSERT INTO edges SELECT * FROM later",
        "DROP TABLE later",
    )
say(done)
