"""CON-7 broken: every cycle weighs only what came in since the last one."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-7"
EXPECTS = "CON-7: pressure does not accumulate over cycles"

done = answer(*WORDS)
told = document(done)
if verb() == "branches" and told and "branches" in told:
    for each in told["branches"]:
        each["pressure"] /= each["cluster_size"]
    say(done, encoded(told))
say(done)
