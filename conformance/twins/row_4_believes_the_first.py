"""ROW-4 broken: a single source overturns what much rests on."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "ROW-4"
EXPECTS = "ROW-4: a single source has overturned"

done = answer(*WORDS)
told = document(done)
if verb() == "branches" and told and "branches" in told:
    for each in told["branches"]:
        each["state"] = "promoted"
    say(done, encoded(told))
say(done)
