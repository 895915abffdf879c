"""CON-13 broken: whatever contradicts gets a branch of its own, and nothing waits in the extended
buffer.
"""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "CON-13"
EXPECTS = "CON-13: not one branch for the cluster alone"

done = answer(*WORDS)
told = document(done)
if verb() == "branches" and told and "branches" in told:
    waiting = document(answer("--json", "quarantine"))["extended"]
    told["branches"] += [
        {**told["branches"][0], "name": each["capture"]} for each in waiting
    ]
    say(done, encoded(told))
say(done)
