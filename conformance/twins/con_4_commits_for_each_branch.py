"""CON-4 broken: each branch that a run touches gets a commit of its own."""

import subprocess

from honest import WORDS, answer, git, say, verb

BREAKS = "CON-4"
EXPECTS = "CON-4: one run made several commits"

done = answer(*WORDS)
if verb() == "consolidate" and done.returncode == 0:
    for ref in git(
        "for-each-ref", "--format=%(refname)", "refs/heads/minority/"
    ).split():
        made = git(
            "commit-tree", "-p", ref, "-m", f"note on {ref}", f"{ref}^{{tree}}"
        ).strip()
        subprocess.run(["git", "update-ref", ref, made], check=True)
say(done)
