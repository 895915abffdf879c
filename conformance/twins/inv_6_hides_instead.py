"""INV-6 broken: what was to be erased only leaves the newest commit."""

import json
import sys
from pathlib import Path

from honest import WORDS, answer, git, pass_on, say, verb

BREAKS = "INV-6"
EXPECTS = "INV-6: erased in name only"

if verb() != "erase" or "--confirm" not in WORDS:
    pass_on()
leak = sys.stdin.buffer.read()
done = answer(
    *[word for word in WORDS if word not in ("--confirm",)][:-1], stdin=leak
)
if (
    WORDS[-1] == "yes"
    or json.loads(done.stdout or b"{}").get("confirm") != WORDS[-1]
):
    sys.exit(2)
for page in Path().rglob("*.md"):
    page.write_bytes(page.read_bytes().replace(leak, b"erased"))
git("commit", "--quiet", "--all", "--message", "erase: something")
say(done)
