"""GRA-6 broken: what is praised gains weight."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "GRA-6"
EXPECTS = "GRA-6: what was praised grew heavier"

done = answer(*WORDS)
if verb() == "feedback":
    alter(
        "index.db",
        "UPDATE entries SET gravity = min(1, gravity + 0.01) WHERE title = 'Gossip'",
    )
say(done)
