"""GRA-3 broken: every dependent counts the same, up to a ceiling."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "GRA-3"
EXPECTS = "GRA-3: twice the dependents give twice the gravity"

done = answer(*WORDS)
told = document(done)
if verb() == "show" and told and told.get("weight"):
    weight = told["weight"]
    weight["base"] = len(told["links"]["in"]) / 100
    say(done, encoded(told))
say(done)
