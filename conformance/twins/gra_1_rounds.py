"""GRA-1 broken: gravity comes in five steps."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "GRA-1"
EXPECTS = "GRA-1: a more central page has no more gravity"

done = answer(*WORDS)
told = document(done)
if verb() == "show" and told and told.get("weight"):
    weight = told["weight"]
    weight["base"] = round(weight["base"] * 5) / 5
    say(done, encoded(told))
say(done)
