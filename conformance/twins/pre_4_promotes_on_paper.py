"""PRE-4 broken: a branch is called promoted, and the answer goes on saying what it said."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "PRE-4"
EXPECTS = "PRE-4: a promotion changes no answer"

done = answer(*WORDS)
told = document(done)
if verb() == "ask" and told:
    told["answers"] = []
    say(done, encoded(told))
say(done)
