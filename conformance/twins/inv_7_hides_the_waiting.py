"""INV-7 broken: what a night could not integrate is no longer shown as pending."""

from honest import WORDS, answer, document, encoded, remember, say, verb

BREAKS = "INV-7"
EXPECTS = r"- pending\b"

done = answer(*WORDS)
told = document(done)
if verb() == "consolidate":
    remember("slept", "yes")
if verb() == "search" and told and remember("slept"):
    told["results"] = [
        result for result in told["results"] if result["state"] != "pending"
    ]
    say(done, encoded(told))
say(done)
