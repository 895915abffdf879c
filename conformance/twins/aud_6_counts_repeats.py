"""AUD-6 broken: what is asked again counts again."""

from honest import within

BREAKS = "AUD-6"
EXPECTS = "AUD-6: one question asked twelve times has decided"

within(
    core_queryset="""
        def _group(words, groups):
            groups[str(len(groups))] = words
            return str(len(groups))
    """,
)
