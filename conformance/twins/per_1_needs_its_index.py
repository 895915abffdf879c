"""PER-1 broken: what the index knew is lost with the index."""

from honest import WORDS, alter, answer, say, verb

BREAKS = "PER-1"
EXPECTS = r"\+ < Postgres  active"

done = answer(*WORDS)
if verb() == "rebuild":
    alter("index.db", "DELETE FROM entries", "DELETE FROM pages")
say(done)
