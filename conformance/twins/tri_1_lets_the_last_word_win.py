"""TRI-1 broken: a capture that denies an older one replaces it."""

from honest import WORDS, alter, answer, say, text, verb

BREAKS = "TRI-1"
EXPECTS = r"  pending\n- pending"

done = answer(*WORDS)
if verb() == "ingest" and {"not", "never"} & set(text().split()):
    last = "(SELECT max(seq) FROM captures)"
    alter("journal.db", f"DELETE FROM captures WHERE seq < {last}")
say(done)
