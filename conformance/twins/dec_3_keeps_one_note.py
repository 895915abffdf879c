"""DEC-3 broken: cold memory gets the summary of a page in the place of its notes."""

from honest import within

BREAKS = "DEC-3"
EXPECTS = "DEC-3: the full text of a note is lost"

within(
    {
        "companion.storage.cold.cold_memory": """
        def read_content(repo, id, blob):
            text = honest.read_content(repo, id, blob)
            return text.partition(b"\\n## ")[0] + b"\\n## " + text.rpartition(b"\\n## ")[2]
    """,
    }
)
