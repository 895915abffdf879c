"""INV-8 broken: CONSOLIDATE commits the owner's unfinished edits along the way."""

from honest import pass_on, quietly, verb

BREAKS = "INV-8"
EXPECTS = "INV-8: consolidate adopted an edit of the owner's"

if verb() == "consolidate":
    quietly("adopt")
pass_on()
