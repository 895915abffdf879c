"""INV-7 broken: white space is tidied when a capture is read."""

from honest import WORDS, answer, say, verb

BREAKS = "INV-7"
EXPECTS = "INV-7: the capture is not what was told"

done = answer(*WORDS)
if verb() == "show":
    lines = done.stdout.decode().splitlines()
    say(done, "".join(line.rstrip() + "\n" for line in lines).encode())
say(done)
