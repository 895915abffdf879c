"""SCH-2 broken: whoever wakes it gets a night, whatever the state of the machine and the person."""

from honest import WORDS, pass_on, verb

BREAKS = "SCH-2"
EXPECTS = "SCH-2: it slept with"

if verb() == "sleep" and "--force" not in WORDS:
    import os

    os.environ["COMPANION_BODY"] = "{}"
    pass_on(*WORDS, "--force")
pass_on()
