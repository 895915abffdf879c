"""OBJ-1 broken: the id is a hash of the content and the time it came in."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "OBJ-1"
EXPECTS = "the id is the hash of the content alone"

done = answer(*WORDS)
if verb() == "ingest":
    alter(
        "journal.db",
        "UPDATE captures SET id = substr(hex(ingested_at) || id, 1, 64)",
    )
say(done)
