"""INV-7 broken: a note that its teller drops is deleted."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "INV-7"
EXPECTS = "INV-7: it is gone"

done = answer(*WORDS)
if verb() == "drop":
    alter("journal.db", "DELETE FROM sightings", "DELETE FROM captures")
say(done)
