"""PER-1 broken: DECAY must scan every entry."""

from honest import WORDS, alter, answer, rows, say, verb

BREAKS = "PER-1"
EXPECTS = "PER-1: DECAY would scan the whole table"

done = answer(*WORDS)
if verb() == "consolidate":
    named = rows(
        "index.db",
        "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '%vitality%'",
    )
    alter("index.db", *(f'DROP INDEX "{name}"' for (name,) in named))
say(done)
