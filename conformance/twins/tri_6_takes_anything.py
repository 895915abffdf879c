"""TRI-6 broken: whatever comes is made to fit and taken."""

from pathlib import Path

from honest import WORDS, pass_on, verb

BREAKS = "TRI-6"
EXPECTS = "TRI-6: blank.txt was not refused"

if verb() == "ingest" and WORDS[-1].startswith("../"):
    data = Path(WORDS[-1]).read_bytes()
    words = [word for word in WORDS if word != WORDS[-1]]
    pass_on(
        *words,
        "-",
        stdin=data.decode("utf-8", "replace")
        .replace("\0", " ")
        .strip()
        .encode()
        or b"(blank)",
    )
pass_on()
