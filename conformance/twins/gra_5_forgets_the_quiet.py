"""GRA-5 broken: a foundation that nobody opened for long loses its protection."""

import os

from honest import WORDS, alter, answer, say, verb

BREAKS = "GRA-5"
EXPECTS = "GRA-5: a quiet foundation lost its protection"

done = answer(*WORDS)
if verb() == "decay" and os.environ.get("COMPANION_NOW", "") > "3":
    alter("index.db", "UPDATE entries SET gravity_protected = 0")
say(done)
