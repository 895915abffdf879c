"""OBJ-5 broken: a branch that has won is tidied away, as one tidies away a merged branch."""

from honest import WORDS, answer, git, rows, say, verb

BREAKS = "OBJ-5"
EXPECTS = "OBJ-5: the branch has no git reference any more"

done = answer(*WORDS)
if verb() == "branches":
    for (name,) in rows(
        "index.db", "SELECT name FROM branches WHERE state = 'promoted'"
    ):
        git("update-ref", "-d", f"refs/heads/minority/{name}")
say(done)
