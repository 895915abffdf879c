"""PER-1 broken: there is no table audit_log."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "PER-1"
EXPECTS = "PER-1: a table is missing"

done = answer(*WORDS)
if verb() == "consolidate":
    alter("index.db", "ALTER TABLE audit_log RENAME TO trail")
say(done)
