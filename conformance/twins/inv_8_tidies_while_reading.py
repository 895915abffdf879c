"""INV-8 broken: a search integrates what it finds pending."""

from honest import WORDS, answer, quietly, say, verb

BREAKS = "INV-8"
EXPECTS = "INV-8: search moved the wiki"

done = answer(*WORDS)
if verb() == "search":
    quietly("consolidate")
say(done)
