"""GRA-8 broken: what an audit took is there again when the index was built anew."""

from honest import WORDS, answer, document, encoded, remember, say, verb

BREAKS = "GRA-8"
EXPECTS = "GRA-8: weighing anew gave back what an audit took"

done = answer(*WORDS)
told = document(done)
if verb() == "rebuild":
    remember("rebuilt", "yes")
if verb() == "show" and told and told.get("weight") and remember("rebuilt"):
    told["weight"]["base"] /= told["weight"]["factor"]
    say(done, encoded(told))
say(done)
