"""OBJ-2 broken: an entry is made and its cohesion bucket left for later."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "OBJ-2"
EXPECTS = "the cohesion bucket is stored with the entry"

done = answer(*WORDS)
if verb() == "consolidate":
    alter("index.db", "UPDATE entries SET cohesion_bucket = NULL")
say(done)
