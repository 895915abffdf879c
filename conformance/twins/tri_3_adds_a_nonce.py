"""TRI-3 broken: every telling gets a nonce, so that the same words are never the same content."""

import os

from honest import WORDS, pass_on, text, verb

BREAKS = "TRI-3"
EXPECTS = r"- seen\n\+ captured|TRI-3: a duplicate buffer entry"

if verb() == "ingest" and "--lines" not in WORDS:
    said = text()
    words = [word for word in WORDS if word not in {said, "-"}]
    pass_on(*words, "-", stdin=f"{said}\n<!-- {os.getpid()} -->".encode())
pass_on()
