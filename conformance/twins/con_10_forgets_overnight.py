"""CON-10 broken: from the morning after, a search no longer knows what was believed."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-10"
EXPECTS = "CON-10: the old belief vanished overnight"

done = answer(*WORDS)
told = document(done)
if verb() == "search" and told and "results" in told:
    told["results"] = [
        each for each in told["results"] if each["state"] != "decaying"
    ]
    say(done, encoded(told))
say(done)
