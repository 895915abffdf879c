"""OBJ-2 broken: CONSOLIDATE protects what others link to, which only DECAY and AUDIT may do."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "OBJ-2"
EXPECTS = "gravity-protected is set by DECAY and AUDIT only"

done = answer(*WORDS)
if verb() == "consolidate":
    alter(
        "index.db",
        "UPDATE entries SET gravity_protected = 1 WHERE id IN (SELECT target FROM edges)",
    )
say(done)
