"""DEC-2 broken: only a link to the page itself protects it, and none to one of its notes."""

from honest import within

BREAKS = "DEC-2"
EXPECTS = "DEC-2: what bears weight fades"

within(
    {
        "companion.pages.page": """
        def _wiki_target(inner):
            return "" if "#^" in inner else honest._wiki_target(inner)

        _TARGETS = {**honest._TARGETS, "wiki": _wiki_target}
    """,
    }
)
