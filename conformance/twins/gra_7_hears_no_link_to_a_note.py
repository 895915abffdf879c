"""GRA-7 broken: a link to one note of a page is no edge of the graph."""

from honest import within

BREAKS = "GRA-7"
EXPECTS = "GRA-7: a link to a note of a page is none to the page"

within(
    {
        "companion.pages.page": """
        def _wiki_target(inner):
            return "" if "#^" in inner else honest._wiki_target(inner)

        _TARGETS = {**honest._TARGETS, "wiki": _wiki_target}
    """,
    }
)
