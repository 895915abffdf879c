"""LED-13 broken: where no claim answers, the passage that sounds nearest is the answer."""

from honest import within

BREAKS = "LED-13"
EXPECTS = "No fact is recorded"

within(
    {
        "companion.answers.ask": """
        def ask(ws, question, *, as_of, budget):
            told = honest.ask(ws, question, as_of=as_of, budget=budget)
            near = [] if told["known"] else told["passages"][:1]
            guessed = [{"value": p["title"], "score": 0.5, "disputed": False, "path": []} for p in near]
            return {**told, "answers": told["answers"] + guessed, "known": told["known"] or bool(guessed)}
    """,
    }
)
