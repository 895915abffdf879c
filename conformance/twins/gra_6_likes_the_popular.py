"""GRA-6 broken: what is looked at gains weight."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "GRA-6"
EXPECTS = "GRA-6: reading a page made it heavier"

done = answer(*WORDS)
if verb() == "show":
    alter(
        "index.db",
        f"UPDATE entries SET gravity = min(1, gravity + 0.01) WHERE title = '{WORDS[-1]}'",
    )
say(done)
