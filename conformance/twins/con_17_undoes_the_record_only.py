"""CON-17 broken: an undo takes back the record and leaves the page."""

from pathlib import Path

from honest import WORDS, answer, say, verb

BREAKS = "CON-17"
EXPECTS = "CON-17: what an undo takes back stays on the page"

pages = [*Path().rglob("[Gg]ateway.md")]
before = {page: page.read_bytes() for page in pages}
done = answer(*WORDS)
if verb() == "undo":
    for page, text in before.items():
        page.write_bytes(text)
say(done)
