"""SCH-1 broken: one scheduler for everything, so that a capture waits until the night is over."""

import fcntl

from honest import WORDS, answer, pass_on, say, store, verb

BREAKS = "SCH-1"
EXPECTS = (
    "SCH-1: --?[a-z]+ waits for the night|SCH-1: ingest waits for the night"
)

if verb() in {"sleep", "ingest", "search"}:
    with store("twin.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        say(answer(*WORDS))
pass_on()
