"""CON-12 broken: of a page of several notes it is not said which one is contradicted."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-12"
EXPECTS = "CON-12: a program cannot read which note is contradicted"

done = answer(*WORDS)
told = document(done)
if verb() == "consolidate" and told:
    for each in told["integrated"]:
        for relation in each["relations"]:
            relation["capture"] = None
    say(done, encoded(told))
say(done)
