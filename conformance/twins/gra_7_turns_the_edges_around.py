"""GRA-7 broken: edges lead from the depended-upon to the dependent."""

from honest import within

BREAKS = "GRA-7"
EXPECTS = "GRA-7: centrality is not PageRank"

within(
    {
        "companion.gravity.topology": """
        def pagerank(size, tails, heads, weights):
            return honest.pagerank(size, heads, tails, weights)
    """,
    }
)
