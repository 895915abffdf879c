"""INV-7 broken: a night takes in what its teller dropped."""

from honest import alter, pass_on, verb

BREAKS = "INV-7"
EXPECTS = "INV-7: the night took in what was dropped"

if verb() == "consolidate":
    alter(
        "journal.db",
        "DELETE FROM sightings WHERE channel = 'source-withdrawn'",
        "UPDATE sightings SET withdrawn = 0",
        "UPDATE captures SET settled = 0 WHERE settled = 2",
    )
pass_on()
