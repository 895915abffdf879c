"""GRA-5 broken: what once bore weight does so for ever."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "GRA-5"
EXPECTS = "GRA-5: effective gravity does not fall with time"

done = answer(*WORDS)
told = document(done)
if verb() == "show" and told and told.get("weight"):
    weight = told["weight"]
    weight["effective"] = weight["base"]
    say(done, encoded(told))
say(done)
