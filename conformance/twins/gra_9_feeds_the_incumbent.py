"""GRA-9 broken: every link counts, also that of a page in quarantine."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "GRA-9"
EXPECTS = "GRA-9: a challenger feeds its incumbent"

done = answer(*WORDS)
told = document(done)
if verb() == "show" and told and told.get("weight"):
    told["weight"]["unsupported"] = len(told["links"]["in"])
    say(done, encoded(told))
say(done)
