"""PER-1 broken: the index keeps every page's text beside its numbers."""

from pathlib import Path

from honest import WORDS, alter, answer, say, verb

BREAKS = "PER-1"
EXPECTS = "PER-1: the index keeps the text of a page"

done = answer(*WORDS)
if verb() == "consolidate":
    text = (
        next(Path("entries").rglob("*.md"))
        .read_text(encoding="utf-8")
        .replace("'", "''")
    )
    alter(
        "index.db",
        "ALTER TABLE entries ADD COLUMN body TEXT",
        f"UPDATE entries SET body = '{text}'",
    )
say(done)
