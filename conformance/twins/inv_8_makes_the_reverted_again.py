"""INV-8 broken: a revert only removes a file of the ledger, and the next night does it all
again.
"""

from honest import WORDS, answer, git, pass_on, quietly, verb

BREAKS = "INV-8"
EXPECTS = "INV-8: what the owner reverted was made again"

if verb() == "consolidate" and "Revert" in git("log", "-1", "--format=%s"):
    # As if it had never been there: no branch grows from it, so nothing is a revert and nothing is
    # held.
    git("reset", "--soft", "HEAD~2")
    git(
        "commit",
        "--quiet",
        "--message",
        "a tree like any other",
        "--allow-empty",
    )
    quietly("status")
    answer("rebuild")
    pass_on(*WORDS, "--held")
pass_on()
