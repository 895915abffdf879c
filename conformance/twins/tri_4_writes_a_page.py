"""TRI-4 broken: TRIAGE puts a page where the night would put it, to be quick."""

from pathlib import Path

from honest import WORDS, answer, say, verb

BREAKS = "TRI-4"
EXPECTS = "TRI-4: ingest wrote into the wiki"

done = answer(*WORDS)
if verb() == "ingest":
    Path("entries").mkdir(exist_ok=True)
    with Path("entries/inbox.md").open("a", encoding="utf-8") as page:
        page.write("Something came in.\n")
say(done)
