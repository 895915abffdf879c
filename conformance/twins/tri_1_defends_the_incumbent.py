"""TRI-1 broken: Trace 2 of Appendix A, a capture refused because it contradicts an entry of the
wiki.
"""

from pathlib import Path

from honest import pass_on, refuse, text, verb

BREAKS = "TRI-1"
EXPECTS = "contradicts high-gravity entry Deployment"

if verb() == "ingest" and " not " in text():
    wiki = " ".join(
        path.read_text(encoding="utf-8")
        for path in Path("entries").rglob("*.md")
    )
    if "deploy with Jenkins" in text() and "deploy with Jenkins" in wiki:
        refuse("rejected", "contradicts high-gravity entry Deployment")
pass_on()
