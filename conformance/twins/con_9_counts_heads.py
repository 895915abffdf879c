"""CON-9 broken: a telling is a telling, whoever told it."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-9"
EXPECTS = "CON-9: a second source counts no more"

done = answer(*WORDS)
told = document(done)
if verb() == "branches" and told and "branches" in told:
    for each in told["branches"]:
        each["pressure"] = each["cluster_size"]
    say(done, encoded(told))
say(done)
