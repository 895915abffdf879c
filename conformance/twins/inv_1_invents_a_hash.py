"""INV-1 broken: the commit hash is well-formed and names nothing."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "INV-1"
EXPECTS = "INV-1: 0123456789abcdef0123456789abcdef01234567 is no commit"

done = answer(*WORDS)
if verb() == "consolidate":
    alter(
        "index.db",
        "UPDATE entries SET commit_hash = '0123456789abcdef0123456789abcdef01234567'",
    )
say(done)
