"""TRI-5 broken: TRIAGE compares what comes in with the pages, and lets it in all the same."""

from pathlib import Path

from honest import pass_on, verb

BREAKS = "TRI-5"
EXPECTS = "TRI-5: ingest opened the wiki"

if verb() in {"ingest", "triage"}:
    for path in Path("entries").rglob("*.md"):
        path.read_text(encoding="utf-8")
pass_on()
