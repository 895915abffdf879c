"""INV-8 broken: CONSOLIDATE makes its entries and does not say so in the ledger."""

from pathlib import Path

from honest import WORDS, answer, git, say, verb

BREAKS = "INV-8"
EXPECTS = "INV-8: a transition without a record"

done = answer(*WORDS)
if verb() == "consolidate":
    for path in Path(".companion/ledger").rglob("*.jsonl"):
        path.write_text(
            path.read_text(encoding="utf-8").splitlines(keepends=True)[0],
            encoding="utf-8",
        )
    git("commit", "--quiet", "--all", "--amend", "--no-edit")
say(done)
