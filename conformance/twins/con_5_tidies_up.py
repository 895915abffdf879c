"""CON-5 broken: a branch that did not grow for a while is no longer there."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-5"
EXPECTS = "CON-5: a minority hypothesis is gone"

done = answer(*WORDS)
told = document(done)
if verb() == "branches" and told and "branches" in told:
    told["branches"] = [
        each for each in told["branches"] if each["cycles_open"] < 5
    ]
    say(done, encoded(told))
say(done)
