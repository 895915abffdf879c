"""OBJ-1 broken: candidate edges are looked up at ingestion and replaced by paths."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "OBJ-1"
EXPECTS = "placeholders are links as written, unresolved"

done = answer(*WORDS)
if verb() == "ingest":
    alter(
        "journal.db",
        "UPDATE captures SET edges = replace(edges, 'Latency Budget', 'entries/Latency Budget.md')",
    )
say(done)
