"""DEC-1 broken: what the user found useful is no part of vitality."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "DEC-1"
EXPECTS = "DEC-1: a term is missing"

done = answer(*WORDS)
told = document(done)
if verb() == "show" and told and told.get("terms"):
    del told["terms"]["utility"]
    say(done, encoded(told))
say(done)
