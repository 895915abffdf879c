"""PER-1 broken: pages lie in the folder and git does not hold them."""

from honest import WORDS, answer, git, say, verb

BREAKS = "PER-1"
EXPECTS = "PER-1: the page is not in git"

done = answer(*WORDS)
if verb() == "consolidate":
    git("rm", "-r", "--cached", "--quiet", "entries")
    git("commit", "--quiet", "--amend", "--no-edit")
say(done)
