"""TRI-6 broken: garbage is refused, and its owner is left with it."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "TRI-6"
EXPECTS = "TRI-6: .* was refused without a"

done = answer(*WORDS)
told = document(done)
if verb() == "ingest" and told and told.get("refused"):
    told["refused"] = [
        {**refused, "reason": "invalid", "hint": ""}
        for refused in told["refused"]
    ]
    say(done, encoded(told))
say(done)
