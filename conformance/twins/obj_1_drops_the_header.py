"""OBJ-1 broken: git keeps the bytes of a capture and forgets its fields."""

import subprocess

from honest import WORDS, answer, git, say, verb

BREAKS = "OBJ-1"
EXPECTS = "one header beside it"

done = answer(*WORDS)
if verb() == "consolidate":
    blobs = [
        line.split()[2]
        for line in git("ls-tree", "-r", "refs/companion/buffer").splitlines()
        if ".json" not in line
    ]
    listing = "".join(f"100644 blob {blob}\t{blob}\n" for blob in blobs)
    tree = subprocess.run(
        ["git", "mktree"],
        input=listing,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    git("update-ref", "refs/companion/buffer", tree)
say(done)
