"""A program of twenty lines to try the suite on: it keeps some laws of TRIAGE and breaks others.

It keeps words once, finds them, and knows nothing of journals, nights or git.
"""

import hashlib
import json
import pathlib
import sys

words = [word for word in sys.argv[1:] if word not in ("--json", "-q")]
if words[0] == "init":
    sys.exit(pathlib.Path(words[1]).mkdir())
book = pathlib.Path("book.json")
kept = json.loads(book.read_text()) if book.exists() else {}
if words[0] == "ingest":
    text = sys.stdin.read() if words[-1] == "-" else words[-1]
    told = []
    for line in text.splitlines() if "--lines" in words else [text]:
        id = hashlib.sha256(line.encode()).hexdigest()
        told.append({"id": id, "status": "seen" if id in kept else "captured"})
        kept[id] = line
    book.write_text(json.dumps(kept))
    seen = sum(each["status"] == "seen" for each in told)
    counts = {"captured": len(told) - seen, "seen": seen}
    print(json.dumps({"captures": told, "refused": [], "counts": counts}))
if words[0] == "search":
    hits = [line for line in kept.values() if words[1] in line]
    print(json.dumps({"results": [{"state": "pending"} for _ in hits]}))
if words[0] == "status":
    print(json.dumps({"pending": len(kept)}))
