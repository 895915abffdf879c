"""GEN-4 broken: a new model puts the pages into its own words."""

from pathlib import Path

from honest import WORDS, answer, git, say, verb

BREAKS = "GEN-4"
EXPECTS = "GEN-4: the swap rewrote a page"

done = answer(*WORDS)
if verb() == "models":
    for path in Path("entries").rglob("*.md"):
        path.write_text(
            path.read_text(encoding="utf-8").replace("runs", "is running"),
            encoding="utf-8",
        )
    git("commit", "--quiet", "--all", "--amend", "--no-edit")
say(done)
