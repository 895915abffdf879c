"""GEN-3 broken: a page deleted by its owner takes its record and its capture along."""

from honest import WORDS, alter, answer, git, say, verb

BREAKS = "GEN-3 INV-6"
EXPECTS = "GEN-3: (the record itself|its words|the capture)"

done = answer(*WORDS)
if verb() == "rebuild":
    alter("index.db", "DELETE FROM entries WHERE state = 'archived'")
    alter("journal.db", "DELETE FROM sightings", "DELETE FROM captures")
    git("update-ref", "-d", "refs/companion/buffer")
say(done)
