"""TRI-2 broken: the stream's lines are acknowledged as they come and written when it ends."""

import hashlib
import sys

from honest import WORDS, answer, pass_on, verb

BREAKS = "TRI-2 TRI-7"
EXPECTS = "TRI-2: acknowledged, and not on disk"

if verb() != "triage":
    pass_on()
answer("status")
lines = []
for line in sys.stdin.buffer:
    lines.append(line)
    print(
        "captured", hashlib.sha256(line.rstrip(b"\n")).hexdigest(), flush=True
    )
answer(*WORDS, stdin=b"".join(lines))
