"""INV-6 broken: the record of an erasure is taken back with the rest."""

import sys

from honest import WORDS, answer, git, pass_on, say, verb

BREAKS = "INV-6"
EXPECTS = "INV-6: no record of the erasure"

if verb() != "erase" or "--confirm" not in WORDS:
    pass_on()
done = answer(*WORDS, stdin=sys.stdin.buffer.read())
if git("log", "-1", "--format=%s").startswith("erase:"):
    git("reset", "--quiet", "--hard", "HEAD~1")
say(done)
