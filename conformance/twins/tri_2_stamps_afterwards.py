"""TRI-2 broken: the row is written first and given its time of ingestion by a second write."""

from honest import WORDS, alter, answer, rows, say, verb

BREAKS = "TRI-2"
EXPECTS = "TRI-2: not in one write"

done = answer(*WORDS)
if verb() == "ingest" and done.returncode == 0:
    ((seq, time),) = rows(
        "journal.db",
        "SELECT seq, ingested_at FROM captures ORDER BY seq DESC LIMIT 1",
    )
    alter(
        "journal.db",
        f"UPDATE captures SET ingested_at = '{time}' WHERE seq = {seq}",
    )
say(done)
