"""TRI-4 broken: TRIAGE commits, and the wiki's branch moves before the night."""

from honest import WORDS, answer, git, say, verb

BREAKS = "TRI-4"
EXPECTS = "TRI-4: ingest wrote into the wiki"

done = answer(*WORDS)
if verb() == "ingest" and git("rev-parse", "--verify", "HEAD"):
    git("commit", "--quiet", "--allow-empty", "--message", "captured something")
say(done)
