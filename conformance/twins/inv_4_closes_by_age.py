"""INV-4 broken: a branch that has not won after some cycles is closed."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "INV-4"
EXPECTS = "INV-4: a branch was closed by the passing of time"

done = answer(*WORDS)
told = document(done)
if verb() == "branches" and told and "branches" in told:
    for each in told["branches"]:
        each["state"] = "closed" if each["cycles_open"] > 5 else each["state"]
    say(done, encoded(told))
say(done)
