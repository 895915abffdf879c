"""TRI-3 broken: what was told is known from the journal alone."""

from honest import git, pass_on, store, verb

BREAKS = "TRI-3"
EXPECTS = "TRI-3: the same words, taken twice"

if verb() == "ingest" and not store("journal.db").exists():
    git("update-ref", "-d", "refs/companion/buffer")
pass_on()
