"""CTX-2 broken: what a source says is summarised into a note as soon as it comes in."""

from honest import WORDS, answer, document, quietly, say, verb

BREAKS = "CTX-2"
EXPECTS = "CTX-2: something was derived at the door"

done = answer(*WORDS)
told = document(done)
if verb() == "ingest" and told and told.get("originals"):
    quietly("ingest", "A page about the ferries of Zanzibar came in.")
say(done)
