"""TRI-5 broken: before it takes anything, TRIAGE asks git what the wiki holds."""

import sys

from honest import git, pass_on, verb

BREAKS = "TRI-5"
EXPECTS = "TRI-5: ingest needs the wiki"

if verb() in {"ingest", "triage"} and not git("ls-tree", "-r", "HEAD"):
    sys.exit("the wiki cannot be read")
pass_on()
