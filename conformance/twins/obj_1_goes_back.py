"""OBJ-1 broken: what was consolidated is pending again as soon as it is told again."""

from honest import WORDS, answer, heard_before, remember, replaced, say, verb

BREAKS = "OBJ-1"
EXPECTS = r"- active\n\+ pending"

done = answer(*WORDS)
if verb() == "ingest" and heard_before(done):
    remember("told-again", "yes")
say(
    done,
    replaced(done.stdout, '"active"', '"pending"')
    if verb() == "search" and remember("told-again")
    else None,
)
