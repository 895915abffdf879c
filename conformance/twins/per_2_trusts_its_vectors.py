"""PER-2 broken: a page that has lost its vector is no longer found."""

from honest import within

BREAKS = "PER-2"
EXPECTS = "PER-2: an answer is gone with its vectors"

within(
    {
        "companion.lookup.search": """
        import os

        def search_wiki(ws, *args, **options):
            document = honest.search_wiki(ws, *args, **options)
            if not os.path.exists(os.path.join(ws.place.state, "vectors.db")):
                document["results"] = []
            return document
    """,
    }
)
