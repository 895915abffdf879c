"""AUD-6 broken: each audit is an access of what it tests."""

from honest import WORDS, answer, quietly, say, verb

BREAKS = "AUD-6"
EXPECTS = "AUD-6: a replay was recorded as a use"

done = answer(*WORDS)
if verb() == "audit":
    quietly("show", WORDS[-1])
say(done)
