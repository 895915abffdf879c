"""AUD-4 broken: what an audit finds is done at once."""

from honest import WORDS, answer, quietly, say, verb

BREAKS = "AUD-4"
EXPECTS = "AUD-4: (an entry|a note) moved before every result was on record"

done = answer(*WORDS)
if verb() == "audit":
    quietly("settle")
say(done)
