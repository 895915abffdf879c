"""CON-12 broken: a search shows what waits apart like any other page."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-12"
EXPECTS = "CON-12: reads do not mark what waits apart"

done = answer(*WORDS)
told = document(done)
if verb() == "search" and told:
    for each in told["results"]:
        each["quarantined"] = False
    say(done, encoded(told))
say(done)
