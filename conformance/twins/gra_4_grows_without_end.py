"""GRA-4 broken: gravity is the number of pages that would fall."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "GRA-4"
EXPECTS = "GRA-4: out of bounds"

done = answer(*WORDS)
told = document(done)
if verb() == "show" and told and told.get("weight"):
    weight = told["weight"]
    weight["base"] = 1.0 + weight["unsupported"]
    say(done, encoded(told))
say(done)
