"""CTX-4 broken: cold memory holds the newest night only."""

from honest import within

BREAKS = "CTX-4"
EXPECTS = "CTX-4: the original is gone"

within(
    {
        "companion.storage.git.append_only_tree": """
    def add_files(repo, pack, base, files):
        return honest.add_files(repo, pack, None, files)
"""
    }
)
