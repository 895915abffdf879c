"""CTX-8 broken: a search looks into cold memory, too."""

from honest import within

BREAKS = "CTX-8"
EXPECTS = "CTX-8: cold memory surfaces in a search"

within(
    {
        "companion.lookup.search": """
    def search_wiki(ws, query, **options):
        from companion.storage.cold import (cold_memory)
        from companion.storage.git.repo import Repo
        done = honest.search_wiki(ws, query, **options)
        repo = Repo(ws.place)
        for item in cold_memory.read(repo):
            if query.encode() in repo.blob(item.blob) and not done["results"]:
                done["results"].append({"id": item.entry, "title": item.name, "path": item.path,
                    "excerpt": query, "score": 1.0, "state": "active", "kind": "entry"})
        return done
"""
    }
)
