"""GRA-2 broken: gravity is what links to a page, whatever would break without it."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "GRA-2"
EXPECTS = "GRA-2: greater damage gives no more gravity"

done = answer(*WORDS)
told = document(done)
if verb() == "show" and told and told.get("weight"):
    weight = told["weight"]
    weight["base"] = weight["centrality"] / (1 + weight["centrality"])
    say(done, encoded(told))
say(done)
