"""LED-8 broken: what was believed when a matter was first read is kept; later evidence is not
weighed.
"""

from honest import within

BREAKS = "LED-8"
EXPECTS = "LED-8: a belief is not what"

within(
    {
        "companion.answers.describe_key": """
        import json
        import os

        def describe_key(group, book, at, known_at, *, history):
            doc = honest.describe_key(group, book, at, known_at, history=history)
            (_, _, index), *_ = book.view.db.execute("PRAGMA database_list")
            kept = os.path.join(os.path.dirname(index), "believed.json")
            if not os.path.exists(kept):
                with open(kept, "w", encoding="utf-8") as file:
                    json.dump(doc["values"], file)
            with open(kept, encoding="utf-8") as file:
                return {**doc, "values": json.load(file)}
    """,
    }
)
