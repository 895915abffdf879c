"""INV-6 broken: an entry whose page is gone is removed from the index for good."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "INV-6 GEN-3"
EXPECTS = "INV-6: a deletion by the owner deleted something"

done = answer(*WORDS)
if verb() == "adopt":
    alter("index.db", "DELETE FROM entries WHERE state = 'archived'")
say(done)
