"""GEN-1 broken: a run takes the index away from everybody while it works."""

import sqlite3
import sys
import time

from honest import WORDS, answer, pass_on, quietly, store, verb

BREAKS = "GEN-1"
EXPECTS = "GEN-1: search (waits for|fails during) the run"

if verb() != "consolidate" or "--json" in WORDS:
    pass_on()
quietly("rebuild")
db = sqlite3.connect(store("index.db"), isolation_level=None)
db.execute("PRAGMA journal_mode=DELETE")
db.execute("BEGIN EXCLUSIVE")
time.sleep(3)
db.execute("ROLLBACK")
db.close()
sys.exit(answer(*WORDS).returncode)
