"""GEN-4 broken: what the new model contradicts is asked of nobody."""

from honest import WORDS, answer, document, encoded, say, verb

BREAKS = "GEN-4"
EXPECTS = "GEN-4: the new model's objection is not on record"

done = answer(*WORDS)
told = document(done)
if verb() == "review" and told:
    say(
        done,
        encoded(
            {
                **told,
                "items": [
                    item for item in told["items"] if item["kind"] != "model"
                ],
            }
        ),
    )
say(done)
