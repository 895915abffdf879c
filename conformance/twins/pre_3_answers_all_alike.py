"""PRE-3 broken: what won is the answer to everything."""

from pathlib import Path

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "PRE-3"
EXPECTS = "PRE-3: with promotion less is reached"

done = answer(*WORDS)
told = document(done)
settings = Path(".companion/companion.yaml")
if verb() == "ask" and told and "promotion" not in settings.read_text():
    for each in told["answers"]:
        each["value"] = "port 9090"
    say(done, encoded(told))
say(done)
