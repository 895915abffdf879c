"""GEN-1 broken: a run becomes visible page by page, and not at once."""

from honest import within

BREAKS = "GEN-1"
EXPECTS = "GEN-1: a read shows half of a run"

within(
    {
        "companion.storage.index.folding.fold": """
        from contextlib import contextmanager

        @contextmanager
        def transaction(db):
            yield
    """,
        "companion.storage.index.folding.fold_pages": """
        import time

        def searchable_texts(page):
            time.sleep(0.02)
            return honest.searchable_texts(page)
    """,
    }
)
