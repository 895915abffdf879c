"""TRI-6 broken: one refused line stops the import."""

import sys

from honest import WORDS, pass_on, verb

BREAKS = "TRI-6"
EXPECTS = r"- 2  1\n\+ 1  1"

if verb() == "ingest" and "--lines" in WORDS:
    lines = sys.stdin.read().splitlines(keepends=True)
    bad = next(
        (n for n, line in enumerate(lines) if line.startswith("ghp_")),
        len(lines),
    )
    pass_on(*WORDS, stdin="".join(lines[: bad + 1]).encode())
pass_on()
