"""CON-10 broken: an answer says nothing of the notes that wait against it."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-10"
EXPECTS = "CON-10: the answer hides what waits against it"

done = answer(*WORDS)
told = document(done)
if verb() == "ask" and told and "objections" in told:
    told["objections"] = []
    say(done, encoded(told))
say(done)
