"""TRI-8 broken: a repeat is dropped altogether, so that A, B, A ends at B."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "TRI-8"
EXPECTS = (
    "TRI-8: (a telling was lost|the second telling is not in the ledger|another source is"
    " another voice)|== 2"
)

done = answer(*WORDS)
if verb() == "ingest":
    first = "SELECT min(seq) FROM sightings GROUP BY capture"
    alter("journal.db", f"DELETE FROM sightings WHERE seq NOT IN ({first})")
say(done)
