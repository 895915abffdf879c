"""TRI-6 broken: TRIAGE turns away what it takes for noise."""

from honest import WORDS, pass_on, refuse, text, verb

BREAKS = "TRI-6"
EXPECTS = "TRI-6: refused 'x'"

if verb() == "ingest" and WORDS[-1] == "-":
    said = text()
    if len(said.split()) < 3:
        refuse("noise", "too short to mean anything")
    pass_on(stdin=said.encode())
pass_on()
