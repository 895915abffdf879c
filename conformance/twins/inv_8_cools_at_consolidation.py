"""INV-8 broken: CONSOLIDATE makes cold objects of originals that no night has read."""

from honest import within

BREAKS = "INV-8"
EXPECTS = "INV-8: somebody else made a cold object"

within(
    {
        "companion.operations.consolidate.run": """
    def collect_pending(run, **options):
        from companion.pages import ids
        from companion.storage.cold import (cold_memory, originals)

        for item in originals.read(run.repo):
            entry = ids.subject_id("source", item.id)
            cold = cold_memory.make_cold(item, entry, run.moment())
            cold_memory.put(run.repo, [(cold, None)])
        return honest.collect_pending(run, **options)
    """
    }
)
