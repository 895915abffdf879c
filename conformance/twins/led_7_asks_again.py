"""LED-7 broken: every night forgets what its judges said and asks them again."""

from honest import alter, pass_on, rows, verb

BREAKS = "LED-7"
EXPECTS = "LED-7: the judge was asked again"

if verb() == "consolidate" and rows(
    "journal.db", "SELECT 1 FROM sqlite_master WHERE name = 'verdicts'"
):
    alter("journal.db", "DELETE FROM verdicts")
pass_on()
