"""CON-13 broken: a note joins the page that it contradicts."""

from pathlib import Path

from honest import WORDS, answer, say, verb

BREAKS = "CON-13"
EXPECTS = "CON-13: a note that contradicts a protected page has joined it"

done = answer(*WORDS)
if verb() == "consolidate":
    folders = Path(".companion/minority").glob("*/*.md")
    words = [path.read_text().rpartition("---\n")[2] for path in folders]
    for page in Path().rglob("[Gg]ateway.md"):
        with page.open("a") as file:
            file.writelines(words)
say(done)
