"""CTX-2 broken: before it takes a source in, the door asks git what the wiki holds about it."""

import sys

from honest import git, pass_on, verb

BREAKS = "CTX-2"
EXPECTS = "CTX-2: ingest needs the wiki"

if verb() == "ingest" and not git("ls-tree", "-r", "HEAD"):
    sys.exit("the wiki cannot be read")
pass_on()
