"""ROW-5 broken: enough is enough, also where all of it came in one cycle."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "ROW-5"
EXPECTS = "ROW-5: a single cycle has decided"

done = answer(*WORDS)
told = document(done)
if verb() == "branches" and told and "branches" in told:
    for each in told["branches"]:
        each["state"] = (
            "promoted"
            if each["pressure"] > each["threshold"]
            else each["state"]
        )
    say(done, encoded(told))
say(done)
