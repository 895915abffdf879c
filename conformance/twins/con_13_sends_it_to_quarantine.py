"""CON-13 broken: a lone contradiction is kept in quarantine, and no branch is opened for it."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-13"
EXPECTS = "CON-13: a lone contradiction opens no branch"

done = answer(*WORDS)
told = document(done)
if verb() == "branches" and told and "branches" in told:
    told["branches"] = [
        each for each in told["branches"] if each["cluster_size"] > 1
    ]
    say(done, encoded(told))
say(done)
