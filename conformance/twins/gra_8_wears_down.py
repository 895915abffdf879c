"""GRA-8 broken: each weighing takes a little of what bears weight, without any audit."""

from honest import WORDS, answer, document, encoded, remember, say, verb

BREAKS = "GRA-8"
EXPECTS = "GRA-8: weighing anew moved base gravity"

done = answer(*WORDS)
told = document(done)
if verb() == "decay":
    remember("decays", remember("decays") + "x")
if verb() == "show" and told and told.get("weight"):
    told["weight"]["base"] *= 0.99 ** len(remember("decays"))
    say(done, encoded(told))
say(done)
