"""INV-8 broken: TRIAGE makes the page itself instead of leaving the capture to CONSOLIDATE."""

from honest import WORDS, answer, quietly, say, verb

BREAKS = "INV-8"
EXPECTS = "INV-8: triage moved the wiki"

done = answer(*WORDS)
if verb() == "ingest":
    quietly("consolidate")
say(done)
