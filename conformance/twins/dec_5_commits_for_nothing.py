"""DEC-5 broken: every run leaves a commit."""

import subprocess

from honest import WORDS, answer, say, verb

BREAKS = "DEC-5"
EXPECTS = "DEC-5: nothing changed, and it was committed"

done = answer(*WORDS)
if verb() == "decay":
    subprocess.run(
        ["git", "commit", "-q", "--allow-empty", "-m", "decay: nothing"],
        check=True,
    )
say(done)
