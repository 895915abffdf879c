"""INV-7 broken: a capture is taken in again as soon as no run on the branch has it, whatever its
owner threw away.
"""

from honest import WORDS, pass_on, verb

BREAKS = "INV-7"
EXPECTS = "INV-7: the night that was thrown away came back"

if verb() == "consolidate":
    pass_on(*WORDS, "--held")
pass_on()
