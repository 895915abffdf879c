"""TRI-7 broken: TRIAGE notes a cohesion bucket for the night to come."""

from honest import WORDS, alter, answer, rows, say, verb

BREAKS = "TRI-7"
EXPECTS = "TRI-7: a place for a judgement"

done = answer(*WORDS)
if verb() == "ingest" and "bucket" not in str(
    rows("journal.db", "SELECT sql FROM sqlite_master")
):
    alter(
        "journal.db",
        "ALTER TABLE captures ADD COLUMN cohesion_bucket TEXT DEFAULT 'mid'",
    )
say(done)
