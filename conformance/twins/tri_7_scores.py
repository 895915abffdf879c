"""TRI-7 broken: TRIAGE gives what sounds urgent a higher priority."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "TRI-7"
EXPECTS = "TRI-7: triage scored a capture"

done = answer(*WORDS)
if verb() == "ingest":
    alter(
        "journal.db",
        "UPDATE captures SET priority = 0.95 WHERE CAST(content AS TEXT) LIKE '%URGENT%'",
    )
say(done)
