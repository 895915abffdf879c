"""OBJ-2 broken: a page that begins to decay loses its protection by that alone."""

from honest import within

BREAKS = "OBJ-2"
EXPECTS = "OBJ-2: a flag went with a state"

within(
    {
        "companion.storage.index.folding.relate_branches": """
        _RELATE = (
            *honest._RELATE,
            "UPDATE entries SET gravity_protected = 0 WHERE state = 'decaying'",
        )
    """,
    }
)
