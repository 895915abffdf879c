"""OBJ-2 broken: archiving removes the index record instead of leaving a tombstone."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "OBJ-2"
EXPECTS = r"- 0  1\n\+ 0  0"

done = answer(*WORDS)
if verb() == "adopt":
    alter("index.db", "DELETE FROM entries WHERE state = 'archived'")
say(done)
