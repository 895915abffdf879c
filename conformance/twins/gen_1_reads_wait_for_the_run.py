"""GEN-1 broken: one lock for everything, so that a read waits until the run is over."""

import fcntl

from honest import WORDS, answer, pass_on, say, store, verb

BREAKS = "GEN-1"
EXPECTS = "GEN-1: search waits for the run"

if verb() in {"consolidate", "search", "show", "status"}:
    with store("twin.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        say(answer(*WORDS))
pass_on()
