"""GRA-7 broken: the cost of losing a page is how often it was linked to."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "GRA-7"
EXPECTS = "GRA-7: fragmentation is not what would break now"

done = answer(*WORDS)
told = document(done)
if verb() == "show" and told and told.get("weight"):
    weight = told["weight"]
    weight["unsupported"] = len(told["links"]["in"])
    say(done, encoded(told))
say(done)
