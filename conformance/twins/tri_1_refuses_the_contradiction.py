"""TRI-1 broken: a capture that denies something in the buffer is turned away."""

from honest import pass_on, refuse, rows, text, verb

BREAKS = "TRI-1"
EXPECTS = r"- captured\n[\s\S]*contradicts"

if verb() == "ingest" and {"not", "never"} & set(text().split()):
    held = " ".join(
        bytes(content or b"").decode()
        for (content,) in rows("journal.db", "SELECT content FROM captures")
    )
    shared = set(text().strip(".").split()) & set(held.split()) - {
        "the",
        "The",
        "on",
    }
    if shared:
        refuse(
            "contradiction", f"contradicts what was said of {sorted(shared)[0]}"
        )
pass_on()
