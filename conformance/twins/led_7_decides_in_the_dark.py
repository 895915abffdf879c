"""LED-7 broken: CONSOLIDATE decides, and the verdict it rests on is nowhere on record."""

from pathlib import Path

from honest import WORDS, answer, git, say, verb

BREAKS = "LED-7"
EXPECTS = "LED-7: no verdict is on record"

done = answer(*WORDS)
if verb() == "consolidate":
    for path in Path(".companion/ledger").rglob("*.jsonl"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text(
            "".join(line for line in lines if '"e":"verdict"' not in line),
            encoding="utf-8",
        )
    git("commit", "--quiet", "--all", "--amend", "--no-edit")
say(done)
