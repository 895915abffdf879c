"""INV-6 broken: once a capture is consolidated, the buffer lets go of it and git may collect it."""

from honest import WORDS, answer, git, say, verb

BREAKS = "INV-6"
EXPECTS = "INV-6: git's garbage collection deleted something from git"

done = answer(*WORDS)
if verb() == "consolidate":
    git("update-ref", "-d", "refs/companion/buffer")
say(done)
