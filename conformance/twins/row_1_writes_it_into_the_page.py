"""ROW-1 broken: a page takes the user's word for its own."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "ROW-1"
EXPECTS = "ROW-1: the page took the user's word"

done = answer(*WORDS)
told = document(done)
if verb() == "show" and told and told["links"]["in"]:
    told["text"] = told["text"].replace("message queue", "Artery")
    say(done, encoded(told))
say(done)
