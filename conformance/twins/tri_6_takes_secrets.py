"""TRI-6 broken: secrets are stored without a question."""

from honest import WORDS, pass_on, verb

BREAKS = "TRI-6"
EXPECTS = r"\+ 1  0\n- 0  1\n- secret"

if (
    verb() == "ingest"
    and "--redact" not in WORDS
    and "--store-anyway" not in WORDS
):
    pass_on(*WORDS, "--store-anyway")
pass_on()
