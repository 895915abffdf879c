"""INV-1 broken: an entry's commit hash is written once, when CONSOLIDATE makes it."""

from honest import WORDS, alter, answer, remember, rows, say, verb

BREAKS = "INV-1"
EXPECTS = "INV-1 after an own commit"

done = answer(*WORDS)
if verb() == "consolidate":
    remember("hash", rows("index.db", "SELECT commit_hash FROM entries")[0][0])
if verb() == "adopt":
    alter("index.db", f"UPDATE entries SET commit_hash = '{remember('hash')}'")
say(done)
