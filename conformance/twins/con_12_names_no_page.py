"""CON-12 broken: that a note contradicts a page is said in words only."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-12"
EXPECTS = "CON-12: a program cannot read what a note contradicts"

done = answer(*WORDS)
told = document(done)
if verb() == "consolidate" and told:
    for each in told["integrated"]:
        each["relations"] = []
    say(done, encoded(told))
say(done)
