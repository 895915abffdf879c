"""Notes beside the answers: those nearest to a question, and those told after an answer."""

OVERTOOK = "told since"  # what a note is found by after which an answer may be out of date
