"""TRI-8 broken: a telling is kept without who told it."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "TRI-8"
EXPECTS = "TRI-8: who told it is lost"

done = answer(*WORDS)
if verb() == "ingest":
    alter("journal.db", "UPDATE sightings SET source = NULL, agent = NULL")
say(done)
