"""ROW-3 broken: what pleases its user is taken in, whoever warns of it."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "ROW-3"
EXPECTS = "ROW-3: what reinforces a flagged claim is integrated"

done = answer(*WORDS)
told = document(done)
if verb() == "consolidate" and told:
    for each in told["integrated"]:
        each["quarantined"] = False
    say(done, encoded(told))
say(done)
