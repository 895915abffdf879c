"""SCH-2 broken: the timer runs the operations themselves, every night at half past three."""

from honest import WORDS, answer, say, verb

BREAKS = "SCH-2"
EXPECTS = "sleep --unattended|consolidate|3"

done = answer(*WORDS)
if verb() == "schedule":
    out = done.stdout.replace(b"sleep --unattended", b"consolidate")
    done.stdout = out.replace(b"*/20 * * * *", b"30 3 * * *")
say(done)
