"""INV-7 broken: after a year a pending capture is dropped, outside any night and without a word."""

import os

from honest import alter, pass_on, verb

BREAKS = "INV-7"
EXPECTS = "INV-7: unreadable after nine years"

if (
    verb() in {"show", "status"}
    and os.environ.get("COMPANION_NOW", "") > "2027"
):
    alter("journal.db", "DELETE FROM sightings", "DELETE FROM captures")
pass_on()
