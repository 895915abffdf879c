"""CON-8 broken: the belief that lost is archived at once."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-8"
EXPECTS = "CON-8: the incumbent is not decaying"

done = answer(*WORDS)
told = document(done)
if verb() == "show" and told and told.get("state") == "decaying":
    say(done, encoded({**told, "state": "archived"}))
say(done)
