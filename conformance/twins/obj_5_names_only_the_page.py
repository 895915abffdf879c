"""OBJ-5 broken: a branch says against which page it is, and not against which statement of it."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "OBJ-5"
EXPECTS = "OBJ-5: the branch does not name the statement"

done = answer(*WORDS)
told = document(done)
if verb() == "branches" and told and "branches" in told:
    for each in told["branches"]:
        each["statement"] = None
    say(done, encoded(told))
say(done)
